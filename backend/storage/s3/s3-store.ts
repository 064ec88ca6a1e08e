import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Bucket } from '../../../config.ts';
import {
  type Folder,
  folderPath,
  type Listed,
  type LocalFile,
  listedPath,
  type Opened,
  type PartName,
  partPath,
  type Store,
  StoreAway,
} from '../store.ts';
import { MARKER, tryBucket } from './check-bucket.ts';
import { openAnswer } from './open-s3-file.ts';
import { S3Client, S3Refusal, textOf, valueIn, valuesIn } from './s3-client.ts';

const AT_ONCE = 1000;

/** Objects in an S3 bucket, under the same names as on disk. No key is overwritten with different content. */
export class S3Store implements Store {
  readonly #client: S3Client;
  readonly #temp: () => string;
  readonly #installation: string | null;
  #tried = false;

  /** @param installation required owner of the bucket; null: read only, so any bucket will do */
  constructor(bucket: S3Bucket, temp: () => string, installation: string | null) {
    this.#client = new S3Client(bucket, () =>
      this.#tried ? this.#client.askOnce({ method: 'HEAD', key: MARKER }) : this.#try(),
    );
    this.#temp = temp;
    this.#installation = installation;
  }

  /**
   * Tests the bucket; an unreachable server is probed until the test passes.
   * @returns the problem of an unreachable server, else null
   * @throws S3Refusal naming the missing permission, or that the bucket belongs to another installation
   */
  async start(): Promise<string | null> {
    try {
      await this.#try();
      return null;
    } catch (error) {
      if (error instanceof S3Refusal || !(error instanceof StoreAway)) throw error;
      this.#client.circuit.open(error);
      return error.message;
    }
  }

  async put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void> {
    const key = partPath(folder, part);
    const body = typeof content === 'string' ? { path: content, size: (await stat(content)).size } : content;
    const size = body instanceof Uint8Array ? body.byteLength : body.size;
    const md5 = await md5Of(content);
    await this.#client.ask(
      {
        method: 'PUT',
        key,
        body,
        headers: {
          'content-md5': md5.toString('base64'),
          // Returned by every GET, and compared there with the response's length.
          'x-amz-meta-size': String(size),
        },
      },
      async (answer) => {
        await textOf(answer!);
        const tag = answer!.headers.etag?.replaceAll('"', '');
        // An encrypting bucket has other ETags, but has verified the checksum that we sent.
        if (tag !== md5.toString('hex')) await this.#mustHave(key, size);
      },
    );
  }

  async copy(from: string, to: string): Promise<void> {
    const { bucket, prefix } = this.#client.bucket;
    const source = `/${bucket}/${prefix}${partPath(from, 'original')}`;
    await this.#client.ask(
      { method: 'PUT', key: partPath(to, 'original'), headers: { 'x-amz-copy-source': source } },
      async (answer) => {
        // S3 sends the status before the copy is complete.
        if (!answer || !valueIn(await textOf(answer), 'ETag')) throw new StoreAway('the copy was not made');
      },
    );
  }

  async open(folder: Folder, part: PartName): Promise<Opened | null> {
    return openAnswer(this.#client, partPath(folder, part));
  }

  async localFile(folder: Folder, part: PartName): Promise<LocalFile | null> {
    const opened = await this.open(folder, part);
    if (!opened) return null;
    const path = this.#temp();
    const done = () => rm(path, { force: true });
    try {
      const bytes = await opened.read();
      const source = bytes instanceof ArrayBuffer ? Readable.from([new Uint8Array(bytes)]) : bytes;
      await pipeline(source, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      return { path, done };
    } catch (error) {
      await done();
      throw error;
    }
  }

  async remove(folder: Folder, parts?: readonly PartName[]): Promise<void> {
    if (parts) return this.#removeKeys(parts.map((part) => partPath(folder, part)));
    for (;;) {
      const { keys } = await this.#page(`${folderPath(folder)}/`, {});
      if (!keys.length) return;
      await this.#removeKeys(keys.map(({ key }) => key));
      if (keys.length < AT_ONCE) return;
    }
  }

  async *list(where: string): AsyncIterable<Listed> {
    const under = `${listedPath(where)}/`;
    for (let after: string | undefined; ; ) {
      const page = await this.#page(under, { delimiter: '/', ...(after && { 'continuation-token': after }) });
      for (const { key, changed } of page.keys) yield { name: key.slice(under.length), changed };
      for (const folder of page.folders) yield { name: folder.slice(under.length, -1), changed: null };
      if (!page.next) return;
      after = page.next;
    }
  }

  async state(): Promise<'well' | 'away' | 'full'> {
    if (this.#client.circuit.isOpen()) return 'away';
    return this.#client.intake.isOpen() ? 'full' : 'well';
  }

  close(): void {
    this.#client.close();
  }

  async #try(): Promise<void> {
    if (this.#installation) await tryBucket(this.#client, this.#installation);
    this.#tried = true;
  }

  async #mustHave(key: string, size: number): Promise<void> {
    await this.#client.askOnce({ method: 'HEAD', key }, (answer: IncomingMessage | null) => {
      answer?.resume();
      if (Number(answer?.headers['content-length']) !== size)
        throw new StoreAway('the stored object differs from what was sent');
    });
  }

  async #removeKeys(keys: readonly string[]): Promise<void> {
    const { prefix } = this.#client.bucket;
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const objects = keys.slice(at, at + AT_ONCE).map((key) => `<Object><Key>${prefix}${key}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`);
      const headers = { 'content-md5': (await md5Of(body)).toString('base64'), 'content-type': 'application/xml' };
      await this.#client.ask({ method: 'POST', query: { delete: '' }, body, headers }, async (answer) => {
        const code = answer ? valueIn(await textOf(answer), 'Code') : 'NoSuchBucket';
        if (code) throw new StoreAway(`some objects were not removed: ${code}`);
      });
    }
  }

  async #page(under: string, query: Record<string, string>) {
    const { prefix } = this.#client.bucket;
    const asked = { 'list-type': '2', 'max-keys': String(AT_ONCE), prefix: prefix + under, ...query };
    const xml = await this.#client.ask({ method: 'GET', query: asked }, async (answer) => {
      const text = answer && (await textOf(answer));
      if (!text?.includes('</ListBucketResult>')) throw new StoreAway('no list came');
      return text;
    });
    const [contents, common] = ['Contents', 'CommonPrefixes'].map((name) =>
      [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner]) => inner!),
    );
    const below = (key: string) => key.slice(prefix.length);
    return {
      keys: contents!.map((inner) => ({
        key: below(valueIn(inner, 'Key')!),
        changed: new Date(valueIn(inner, 'LastModified')!),
      })),
      folders: common!.flatMap((inner) => valuesIn(inner, 'Prefix')).map(below),
      next: valueIn(xml, 'NextContinuationToken'),
    };
  }
}

async function md5Of(content: string | Uint8Array): Promise<Buffer> {
  const hash = createHash('md5');
  if (typeof content !== 'string') return hash.update(content).digest();
  for await (const chunk of createReadStream(content)) hash.update(chunk as Uint8Array);
  return hash.digest();
}
