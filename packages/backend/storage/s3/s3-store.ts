import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { S3Bucket } from '../../config/config.ts';
import type { Folder, ListEntry, LocalFile, PartName, Store, StoredFile } from '../store.ts';
import { chunksOf, folderPath, listPath, openBytes, partPath, StoreUnavailable } from '../store.ts';
import { checkBucket, MARKER } from './check-bucket.ts';
import { readChunks, readText, S3Client, S3RequestRejected, xmlValue, xmlValues } from './s3-client.ts';

const MAX_KEYS = 1000;

/** Objects in an S3 bucket, under the same names as on disk. No key is overwritten with different content. */
export class S3Store implements Store {
  readonly #client: S3Client;
  readonly #createTempPath: () => string;
  readonly #installation: string | null;
  #isChecked = false;

  /** @param installation required owner of the bucket; null: read only, so any bucket will do */
  constructor(bucket: S3Bucket, createTempPath: () => string, installation: string | null) {
    this.#client = new S3Client(bucket, () =>
      this.#isChecked ? this.#client.requestOnce({ method: 'HEAD', key: MARKER }) : this.#check(),
    );
    this.#createTempPath = createTempPath;
    this.#installation = installation;
  }

  /**
   * Tests the bucket; an unreachable server is probed until the test passes. @returns its problem, else null
   * @throws S3RequestRejected naming the missing permission, or that the bucket belongs to another installation
   */
  async start(): Promise<string | null> {
    try {
      await this.#check();
      return null;
    } catch (error) {
      if (error instanceof S3RequestRejected || !(error instanceof StoreUnavailable)) throw error;
      this.#client.circuit.open(error);
      return error.message;
    }
  }

  async put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void> {
    const key = partPath(folder, part);
    const body = typeof content === 'string' ? { path: content, size: (await stat(content)).size } : content;
    const size = body instanceof Uint8Array ? body.byteLength : body.size;
    const md5 = await md5Of(content);
    // Every GET returns the size, and it is compared there with the response's length.
    const headers = { 'content-md5': md5.toString('base64'), 'x-amz-meta-size': String(size) };
    await this.#client.request({ method: 'PUT', key, body, headers }, async (response) => {
      await readText(response!);
      const etag = response!.headers.etag?.replaceAll('"', '');
      // An encrypting bucket has other ETags, but has verified the checksum that we sent.
      if (etag !== md5.toString('hex')) await this.#requireStored(key, size);
    });
  }

  async copy(from: string, to: string): Promise<void> {
    const { bucket, prefix } = this.#client.bucket;
    const headers = { 'x-amz-copy-source': `/${bucket}/${prefix}${partPath(from, 'original')}` };
    await this.#client.request({ method: 'PUT', key: partPath(to, 'original'), headers }, async (response) => {
      // S3 sends the status before the copy is complete.
      if (!response || !xmlValue(await readText(response), 'ETag'))
        throw new StoreUnavailable('the object was not copied');
    });
  }

  async open(folder: Folder, part: PartName): Promise<StoredFile | null> {
    const key = partPath(folder, part);
    return this.#client.request({ method: 'GET', key }, async (response) => {
      if (!response) return null;
      const size = sizeOf(response);
      if (size > MAX_BUFFERED_BYTES) return openStream(this.#client, key, size, response);
      return openBytes(Buffer.concat(await Array.fromAsync(exactLength(readChunks(response), size))));
    });
  }

  async localFile(version: string): Promise<LocalFile | null> {
    const file = await this.open(version, 'original');
    if (!file) return null;
    const path = this.#createTempPath();
    const release = () => rm(path, { force: true });
    try {
      await writeFile(path, chunksOf(file), { mode: 0o600, flag: 'wx' });
      return { path, [Symbol.asyncDispose]: release };
    } catch (error) {
      await Promise.all([file.close(), release()]);
      throw error;
    }
  }

  async remove(folder: Folder, parts?: readonly PartName[]): Promise<void> {
    if (parts) return this.#removeKeys(parts.map((part) => partPath(folder, part)));
    for (;;) {
      const { keys } = await this.#page(`${folderPath(folder)}/`, {});
      if (!keys.length) return;
      await this.#removeKeys(keys.map(({ key }) => key));
      if (keys.length < MAX_KEYS) return;
    }
  }

  async *list(path: string): AsyncIterable<ListEntry> {
    const folder = `${listPath(path)}/`;
    for (let token: string | undefined; ; ) {
      const page = await this.#page(folder, { delimiter: '/', ...(token && { 'continuation-token': token }) });
      for (const { key, modifiedAt } of page.keys) yield { name: key.slice(folder.length), modifiedAt };
      for (const subfolder of page.folders) yield { name: subfolder.slice(folder.length, -1), modifiedAt: null };
      if (!page.next) return;
      token = page.next;
    }
  }

  async state(): Promise<'ok' | 'unavailable' | 'full'> {
    if (this.#client.circuit.isOpen()) return 'unavailable';
    return this.#client.writeCircuit.isOpen() ? 'full' : 'ok';
  }

  close = () => this.#client.close();

  async #check(): Promise<void> {
    if (this.#installation) await checkBucket(this.#client, this.#installation);
    this.#isChecked = true;
  }

  async #requireStored(key: string, size: number): Promise<void> {
    await this.#client.requestOnce({ method: 'HEAD', key }, (response: IncomingMessage | null) => {
      response?.resume();
      if (Number(response?.headers['content-length']) !== size)
        throw new StoreUnavailable('the stored object differs from what was sent');
    });
  }

  async #removeKeys(keys: readonly string[]): Promise<void> {
    const { prefix } = this.#client.bucket;
    for (let at = 0; at < keys.length; at += MAX_KEYS) {
      const objects = keys.slice(at, at + MAX_KEYS).map((key) => `<Object><Key>${prefix}${key}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`);
      const headers = { 'content-md5': (await md5Of(body)).toString('base64'), 'content-type': 'application/xml' };
      await this.#client.request({ method: 'POST', query: { delete: '' }, body, headers }, async (response) => {
        const code = response ? xmlValue(await readText(response), 'Code') : 'NoSuchBucket';
        if (code) throw new StoreUnavailable(`some objects were not removed: ${code}`);
      });
    }
  }

  async #page(folder: string, query: Record<string, string>) {
    const { prefix } = this.#client.bucket;
    const parameters = { 'list-type': '2', 'max-keys': String(MAX_KEYS), prefix: prefix + folder, ...query };
    const xml = await this.#client.request({ method: 'GET', query: parameters }, async (response) => {
      const text = response && (await readText(response));
      if (!text?.includes('</ListBucketResult>')) throw new StoreUnavailable('the response is not a list');
      return text;
    });
    const [contents, commonPrefixes] = ['Contents', 'CommonPrefixes'].map((name) =>
      [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner]) => inner!),
    );
    const withoutPrefix = (key: string) => key.slice(prefix.length);
    return {
      keys: contents!.map((inner) => ({
        key: withoutPrefix(xmlValue(inner, 'Key')!),
        modifiedAt: new Date(xmlValue(inner, 'LastModified')!),
      })),
      folders: commonPrefixes!.flatMap((inner) => xmlValues(inner, 'Prefix')).map(withoutPrefix),
      next: xmlValue(xml, 'NextContinuationToken'),
    };
  }
}

async function md5Of(content: string | Uint8Array): Promise<Buffer> {
  const hash = createHash('md5');
  if (typeof content !== 'string') return hash.update(content).digest();
  for await (const chunk of createReadStream(content)) hash.update(chunk as Uint8Array);
  return hash.digest();
}

/** Bytes. Objects up to this size are read at once, and requested again when truncated; larger ones are streamed. */
const MAX_BUFFERED_BYTES = 512 * 1024;

type Range = { start: number; end: number };

function sizeOf({ headers }: IncomingMessage): number {
  const size = Number(headers['content-length'] ?? Number.NaN);
  const storedSize = headers['x-amz-meta-size'];
  if (Number.isSafeInteger(size) && (storedSize === undefined || Number(storedSize) === size)) return size;
  const stored = storedSize ?? 'an unknown number';
  throw new StoreUnavailable(`${headers['content-length']} bytes announced, but the object has ${stored}`);
}

/** Passes on exactly `size` bytes. @throws StoreUnavailable when there are fewer or more */
async function* exactLength(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let remaining = size;
  for await (const chunk of chunks) {
    remaining -= chunk.length;
    if (remaining < 0) break;
    yield chunk;
  }
  if (remaining !== 0) throw new StoreUnavailable(`an object of ${size} bytes was truncated`);
}

function openStream(client: S3Client, key: string, size: number, response: IncomingMessage): StoredFile {
  const chunks = exactLength(readChunks(response), size);
  const close = async () => void response.destroy();
  return {
    size,
    close,
    async read({ start, end }: Range = { start: 0, end: size - 1 }): Promise<Readable> {
      // A range that starts soon is skipped to in the same response; a later one gets its own request.
      if (start <= MAX_BUFFERED_BYTES) return toReadable(sliceChunks(chunks, { start, end }), response);
      await close();
      const headers = { range: `bytes=${start}-${end}` };
      return client.request({ method: 'GET', key, headers }, (part) => {
        if (part?.statusCode !== 206 || part.headers['content-range'] !== `bytes ${start}-${end}/${size}`)
          throw new StoreUnavailable('the response is not the requested range');
        return toReadable(exactLength(readChunks(part), end - start + 1), part);
      });
    },
  };
}
async function* sliceChunks(chunks: AsyncGenerator<Buffer>, { start, end }: Range): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
    position += chunk.length;
    if (part.length) yield part;
    if (position > end + 1) return;
  }
}

const toReadable = (chunks: AsyncGenerator<Buffer>, response: IncomingMessage): Readable =>
  Readable.from(chunks, { objectMode: false }).once('close', () => response.destroy());
