import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import {
  type ArchivedTable,
  FORMAT,
  HEAD,
  isEntryName,
  KEYS,
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  partName,
  qualifiedName,
  TableSum,
} from './manifest.ts';
import type { Table } from './rows.ts';
import type { EntryWriter } from './write-new-file.ts';

const MAX_PART_LENGTH = 4 * 1024 * 1024;
const compress = promisify(zstdCompress);

export const addHead = (entries: EntryWriter): Promise<void> =>
  addText(entries, HEAD, JSON.stringify({ product: 'madhouse', format: FORMAT }));

export async function addTable(
  entries: EntryWriter,
  table: Table,
  lines: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<ArchivedTable> {
  const { schema, name, columns } = table;
  if (!isEntryName(partName(table, 0)))
    throw new Error(`An archive cannot contain a table named ${qualifiedName(table)}.`);
  const sum = new TableSum();
  let [parts, buffered] = [0, ''];
  const flush = async () => {
    const bytes = await compress(buffered);
    buffered = '';
    await entries.add(partName(table, parts++), bytes.length, [bytes]);
  };
  for await (const batch of lines)
    for (const line of batch) {
      sum.add(line);
      buffered += `${line}\n`;
      if (buffered.length >= MAX_PART_LENGTH) await flush();
    }
  if (buffered) await flush();
  return { schema, name, columns: columns.map((column) => column.name), rows: sum.rows, checksum: sum.checksum, parts };
}

export async function addManifest(
  entries: EntryWriter,
  keys: Buffer | null,
  header: Omit<Manifest, 'keys' | 'files'>,
): Promise<void> {
  if (keys) await entries.add(KEYS, keys.length, [keys]);
  const manifest: Manifest = { ...header, keys: keys !== null, files: [...entries.files] };
  await addText(entries, MANIFEST, JSON.stringify(manifest));
  await addText(entries, MANIFEST_SUM, entries.files.at(-1)!.sha256);
}

async function addText(entries: EntryWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await entries.add(name, bytes.length, [bytes]);
}
