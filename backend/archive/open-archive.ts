import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import {
  type ArchivedFile,
  type ArchivedTable,
  FORMAT,
  HEAD,
  Head,
  isEntryName,
  KEYS,
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  objectName,
  partName,
  readManifest,
  TableSum,
  titleOf,
} from './manifest.ts';
import { BLOCK, END, paddingOf, readTarHeader } from './tar.ts';

export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
}

interface Entry extends ArchivedFile {
  at: number;
}

const CHUNK = 1024 * 1024;
const LARGEST_PART = 512 * 1024 * 1024;
const decompress = promisify(zstdDecompress);

/** Opens an archive and verifies every byte before anything is used. @throws DamagedArchive */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read: ${error.code}.`);
  });
  try {
    const archive = new Archive(path, file);
    await archive.read();
    return archive;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export class Archive {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #entries = new Map<string, Entry>();
  #manifest: Manifest | null = null;

  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  get manifest(): Manifest {
    return this.#manifest!;
  }

  get objects(): string[] {
    return [...this.#entries.keys()].flatMap((name) => (name.startsWith('objects/') ? [name.slice(8)] : []));
  }

  async read(): Promise<void> {
    await this.#readEntries();
    await this.#readManifest();
    for (const table of this.manifest.tables) for await (const _ of this.linesOf(table));
  }

  /** The lines of a table, part by part; the last step throws unless they match the manifest. */
  async *linesOf(table: ArchivedTable): AsyncGenerator<string[]> {
    const sum = new TableSum();
    for (let part = 0; part < table.parts; part++) {
      const lines = await this.#linesOfPart(partName(table, part), table.columns.length);
      for (const line of lines) sum.add(line);
      yield lines;
    }
    if (sum.rows !== table.rows || sum.checksum !== table.checksum)
      throw this.#damaged(`the rows of ${titleOf(table)} do not match their checksum`);
  }

  /** The bytes of an object; the last step throws when their checksum differs. */
  object(version: string): AsyncGenerator<Uint8Array> {
    return this.#bytesOf(this.#entries.get(objectName(version))!);
  }

  sumOf(version: string): string {
    return this.#entries.get(objectName(version))!.sha256;
  }

  async sealedKeys(): Promise<Buffer | null> {
    const entry = this.#entries.get(KEYS);
    return entry ? this.#whole(entry) : null;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #readEntries(): Promise<void> {
    const { size } = await this.#file.stat();
    let at = 0;
    for (;;) {
      const block = await this.#read(at, BLOCK, size);
      if (at > 0 && block.equals(END.subarray(0, BLOCK))) break;
      const header = readTarHeader(block);
      if (at === 0 && header?.name !== HEAD) throw this.#foreign();
      if (!header || !isEntryName(header.name)) throw this.#damaged(`unexpected content at byte ${at}`);
      if (this.#entries.has(header.name)) throw this.#damaged(`${header.name} is in it twice`);
      const entry: Entry = { ...header, sha256: '', at: at + BLOCK };
      const padding = paddingOf(entry.size);
      if (entry.at + entry.size + padding > size) throw this.#damaged('it ends too early');
      entry.sha256 = await this.#sumOf(entry);
      if ((await this.#read(entry.at + entry.size, padding, size)).some((byte) => byte !== 0))
        throw this.#damaged(`the data after ${entry.name} was changed`);
      this.#entries.set(entry.name, entry);
      at = entry.at + entry.size + padding;
      if (header.name === HEAD) await this.#readHead(entry);
    }
    if (at + END.length !== size || !(await this.#read(at, END.length, size)).equals(END))
      throw this.#damaged('it ends at the wrong place');
  }

  async #readHead(entry: Entry): Promise<void> {
    const head = Head.safeParse(jsonOf((await this.#whole(entry)).toString()));
    if (!head.success) throw this.#foreign();
    if (head.data.format !== FORMAT)
      throw new DamagedArchive(
        `${this.path} is an archive of format ${head.data.format}, which this version does not know. Use the version that made it.`,
      );
  }

  async #readManifest(): Promise<void> {
    const entries = [...this.#entries.values()];
    const [manifest, sum] = [this.#entries.get(MANIFEST), this.#entries.get(MANIFEST_SUM)];
    if (!manifest || !sum || entries.at(-1) !== sum || entries.at(-2) !== manifest)
      throw this.#damaged('its list of contents is missing');
    if ((await this.#whole(sum)).toString() !== manifest.sha256)
      throw this.#damaged('its list of contents was changed');
    this.#manifest = readManifest((await this.#whole(manifest)).toString());
    if (!this.#manifest) throw this.#damaged('its list of contents is invalid');
    const listed = this.#manifest.files;
    const found = entries.slice(0, -2);
    const different = found.find(
      ({ name, size, sha256 }, index) =>
        listed[index]?.name !== name || listed[index].size !== size || listed[index].sha256 !== sha256,
    );
    if (different || found.length !== listed.length)
      throw this.#damaged(`${different?.name ?? 'an entry'} does not match its checksum`);
    this.#expectComplete(this.#manifest);
  }

  #expectComplete({ tables, objects, keys }: Manifest): void {
    const parts = tables.flatMap((table) => Array.from({ length: table.parts }, (_, part) => partName(table, part)));
    const missing = [HEAD, ...parts, ...(keys ? [KEYS] : [])].find((name) => !this.#entries.has(name));
    if (missing) throw this.#damaged(`${missing} is missing`);
    const others = this.objects.length;
    if (others !== objects.count || this.#entries.size !== others + parts.length + 3 + Number(keys))
      throw this.#damaged('its content does not match its list of contents');
  }

  async #linesOfPart(name: string, columns: number): Promise<string[]> {
    const entry = this.#entries.get(name);
    if (!entry) throw this.#damaged(`${name} is missing`);
    const bytes = await decompress(await this.#whole(entry), { maxOutputLength: LARGEST_PART }).catch(() => {
      throw this.#damaged(`${name} cannot be unpacked`);
    });
    const lines = bytes.toString('utf8').split('\n');
    if (lines.pop() !== '') throw this.#damaged(`${name} ends in the middle of a row`);
    for (const line of lines) {
      const row = jsonOf(line);
      if (!Array.isArray(row) || row.length !== columns || row.some((one) => one !== null && typeof one !== 'string'))
        throw this.#damaged(`${name} contains an invalid row`);
    }
    return lines;
  }

  async #sumOf(entry: Entry): Promise<string> {
    const digest = createHash('sha256');
    for await (const chunk of this.#chunksOf(entry)) digest.update(chunk);
    return digest.digest('hex');
  }

  async *#bytesOf(entry: Entry): AsyncGenerator<Uint8Array> {
    const digest = createHash('sha256');
    for await (const chunk of this.#chunksOf(entry)) {
      digest.update(chunk);
      yield chunk;
    }
    if (digest.digest('hex') !== entry.sha256) throw this.#damaged(`${entry.name} changed while it was read`);
  }

  async *#chunksOf({ at, size }: Entry): AsyncGenerator<Buffer> {
    for (let done = 0; done < size; done += CHUNK)
      yield await this.#read(at + done, Math.min(CHUNK, size - done), at + size);
  }

  async #whole(entry: Entry): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#bytesOf(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async #read(at: number, length: number, end: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    if (at + length > end || (await readAll(this.#file, bytes, at)) < length)
      throw at === 0 ? this.#foreign() : this.#damaged('it ends too early');
    return bytes;
  }

  #damaged = (what: string) => new DamagedArchive(`${this.path} is damaged: ${what}. Nothing was loaded.`);
  #foreign = () => new DamagedArchive(`${this.path} is not an archive of Madhouse.`);
}

async function readAll(file: FileHandle, bytes: Buffer, at: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
    if (!bytesRead) break;
    done += bytesRead;
  }
  return done;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
