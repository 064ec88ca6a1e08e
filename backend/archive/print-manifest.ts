import type { Manifest } from './manifest.ts';

const MAX_LISTED = 20;

const CONTENTS: Record<Manifest['contents'], string> = {
  everything: 'everything',
  accounts: 'accounts only, to be loaded into an existing installation',
  'take-away': 'everything but password hashes, second factors, sessions, draft links and keys',
};

export function printManifest(manifest: Manifest): void {
  const { version, engine, madeAt, contents, migrations, tables, objects, keys } = manifest;
  const origin = engine === 'pglite' ? 'the embedded database' : 'a PostgreSQL server';
  console.log(
    `Made ${madeAt} by version ${version} from ${origin}${contents === 'accounts' ? '' : `, at migration ${migrations.at(-1)?.version ?? 'none'}`}.\n` +
      `Contents: ${CONTENTS[contents]}.\n` +
      `${pluralize(tables.length, 'table')} with ${pluralize(countRows(manifest), 'row')}, ${pluralize(objects.count, 'object')} of ${Math.ceil(objects.bytes / 1024 ** 2)} MB, ${keys ? 'keys, sealed with the passphrase' : 'no keys'}.`,
  );
  printMissing(manifest);
}

export function printMissing({ missing }: Manifest): void {
  if (!missing.length) return;
  console.log(`${pluralize(missing.length, 'object')} had no data on the server, so none is included:`);
  printList(missing);
}

export function printList(lines: readonly string[], write: (line: string) => void = console.log): void {
  for (const line of lines.slice(0, MAX_LISTED)) write(`  ${line}`);
  if (lines.length > MAX_LISTED) write(`  and ${lines.length - MAX_LISTED} more`);
}

export const countRows = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
