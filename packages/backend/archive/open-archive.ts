import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import {
  type ArchivedFile,
  type ArchivedTable,
  ArchiveHead,
  FORMAT,
  HEAD,
  isEntryName,
  KEYS,
  MANIFEST,
  MANIFEST_SUM,
  Manifest,
  objectName,
  partName,
  qualifiedName,
  TableSum,
} from './manifest.ts';
import { BLOCK, END, paddingOf, readTarHeader } from './tar.ts';

export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
}

type Entry = ArchivedFile & { offset: number };

const CHUNK_BYTES = 1024 * 1024;
const MAX_PART_BYTES = 512 * 1024 * 1024;
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
    for (const table of this.manifest.tables) for await (const _ of this.readLines(table));
  }

  /** The lines of a table, part by part; the last step throws unless they match the manifest. */
  async *readLines(table: ArchivedTable): AsyncGenerator<string[]> {
    const tableSum = new TableSum();
    for (let part = 0; part < table.parts; part++) {
      const lines = await this.#readPart(partName(table, part), table.columns.length);
      for (const line of lines) tableSum.add(line);
      yield lines;
    }
    if (tableSum.rows !== table.rows || tableSum.checksum !== table.checksum)
      throw this.#damaged(`the rows of ${qualifiedName(table)} do not match their checksum`);
  }

  /** The bytes of an object; the last step throws when their checksum differs. */
  readObject = (version: string) => this.#readVerified(this.#entries.get(objectName(version))!);

  checksumOf = (version: string) => this.#entries.get(objectName(version))!.sha256;

  async sealedKeys(): Promise<Buffer | null> {
    const entry = this.#entries.get(KEYS);
    return entry ? this.#readAll(entry) : null;
  }

  close = () => this.#file.close();

  async #readEntries(): Promise<void> {
    const { size } = await this.#file.stat();
    let offset = 0;
    for (;;) {
      const block = await this.#read(offset, BLOCK, size);
      if (offset > 0 && block.equals(END.subarray(0, BLOCK))) break;
      const header = readTarHeader(block);
      if (offset === 0 && header?.name !== HEAD) throw this.#notAnArchive();
      if (!header || !isEntryName(header.name)) throw this.#damaged(`unexpected content at byte ${offset}`);
      if (this.#entries.has(header.name)) throw this.#damaged(`${header.name} is in it twice`);
      const entry: Entry = { ...header, sha256: '', offset: offset + BLOCK };
      const padding = paddingOf(entry.size);
      if (entry.offset + entry.size + padding > size) throw this.#damaged('it ends too early');
      entry.sha256 = await this.#checksum(entry);
      if ((await this.#read(entry.offset + entry.size, padding, size)).some((byte) => byte !== 0))
        throw this.#damaged(`the data after ${entry.name} was changed`);
      this.#entries.set(entry.name, entry);
      offset = entry.offset + entry.size + padding;
      if (header.name === HEAD) await this.#readHead(entry);
    }
    if (offset + END.length !== size || !(await this.#read(offset, END.length, size)).equals(END))
      throw this.#damaged('it ends at the wrong place');
  }

  async #readHead(entry: Entry): Promise<void> {
    const header = ArchiveHead.safeParse(parseJson((await this.#readAll(entry)).toString()));
    if (!header.success) throw this.#notAnArchive();
    if (header.data.format !== FORMAT)
      throw new DamagedArchive(
        `${this.path} is an archive of format ${header.data.format}, which this version does not know. Use the version that made it.`,
      );
  }

  async #readManifest(): Promise<void> {
    const entries = [...this.#entries.values()];
    const [manifest, tableSum] = [this.#entries.get(MANIFEST), this.#entries.get(MANIFEST_SUM)];
    if (!manifest || !tableSum || entries.at(-1) !== tableSum || entries.at(-2) !== manifest)
      throw this.#damaged('its list of contents is missing');
    if ((await this.#readAll(tableSum)).toString() !== manifest.sha256)
      throw this.#damaged('its list of contents was changed');
    this.#manifest = Manifest.safeParse(parseJson((await this.#readAll(manifest)).toString())).data ?? null;
    if (!this.#manifest) throw this.#damaged('its list of contents is invalid');
    const expected = this.#manifest.files;
    const found = entries.slice(0, -2);
    const different = found.find(
      ({ name, size, sha256 }, index) =>
        expected[index]?.name !== name || expected[index].size !== size || expected[index].sha256 !== sha256,
    );
    if (different || found.length !== expected.length)
      throw this.#damaged(`${different?.name ?? 'an entry'} does not match its checksum`);
    this.#requireComplete(this.#manifest);
  }

  #requireComplete({ tables, objects, keys }: Manifest): void {
    const parts = tables.flatMap((table) => Array.from({ length: table.parts }, (_, part) => partName(table, part)));
    const missing = [HEAD, ...parts, ...(keys ? [KEYS] : [])].find((name) => !this.#entries.has(name));
    if (missing) throw this.#damaged(`${missing} is missing`);
    const objectCount = this.objects.length;
    if (objectCount !== objects.count || this.#entries.size !== objectCount + parts.length + 3 + Number(keys))
      throw this.#damaged('its content does not match its list of contents');
  }

  async #readPart(name: string, columns: number): Promise<string[]> {
    const entry = this.#entries.get(name);
    if (!entry) throw this.#damaged(`${name} is missing`);
    const bytes = await decompress(await this.#readAll(entry), { maxOutputLength: MAX_PART_BYTES }).catch(() => {
      throw this.#damaged(`${name} cannot be unpacked`);
    });
    const lines = bytes.toString('utf8').split('\n');
    if (lines.pop() !== '') throw this.#damaged(`${name} ends in the middle of a row`);
    for (const line of lines) {
      const row = parseJson(line);
      if (!Array.isArray(row) || row.length !== columns || row.some((one) => one !== null && typeof one !== 'string'))
        throw this.#damaged(`${name} contains an invalid row`);
    }
    return lines;
  }

  async #checksum(entry: Entry): Promise<string> {
    const digest = createHash('sha256');
    for await (const chunk of this.#readChunks(entry)) digest.update(chunk);
    return digest.digest('hex');
  }

  async *#readVerified(entry: Entry): AsyncGenerator<Uint8Array> {
    const digest = createHash('sha256');
    for await (const chunk of this.#readChunks(entry)) {
      digest.update(chunk);
      yield chunk;
    }
    if (digest.digest('hex') !== entry.sha256) throw this.#damaged(`${entry.name} changed while it was read`);
  }

  async *#readChunks({ offset, size }: Entry): AsyncGenerator<Buffer> {
    for (let bytesDone = 0; bytesDone < size; bytesDone += CHUNK_BYTES)
      yield await this.#read(offset + bytesDone, Math.min(CHUNK_BYTES, size - bytesDone), offset + size);
  }

  async #readAll(entry: Entry): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#readVerified(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async #read(offset: number, length: number, end: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, offset);
    if (offset + length > end || bytesRead < length)
      throw offset === 0 ? this.#notAnArchive() : this.#damaged('it ends too early');
    return buffer;
  }

  #damaged = (problem: string) => new DamagedArchive(`${this.path} is damaged: ${problem}. Nothing was loaded.`);
  #notAnArchive = () => new DamagedArchive(`${this.path} is not an archive of Madhouse.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
