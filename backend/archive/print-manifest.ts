import type { Manifest } from './manifest.ts';

const MOST_SHOWN = 20;

const CONTENTS: Record<Manifest['contents'], string> = {
  everything: 'everything',
  accounts: 'accounts only, to be loaded into an existing installation',
  'take-away': 'everything but password hashes, second factors, sessions, draft links and keys',
};

export function tell(manifest: Manifest): void {
  const { version, engine, madeAt, contents, migrations, tables, objects, keys } = manifest;
  const where = engine === 'pglite' ? 'the embedded database' : 'a PostgreSQL server';
  console.log(
    `Made ${madeAt} by version ${version} from ${where}${contents === 'accounts' ? '' : `, at migration ${migrations.at(-1)?.version ?? 'none'}`}.\n` +
      `Contents: ${CONTENTS[contents]}.\n` +
      `${numbered(tables.length, 'table')} with ${numbered(rowsOf(manifest), 'row')}, ${numbered(objects.count, 'object')} of ${Math.ceil(objects.bytes / 1024 ** 2)} MB, ${keys ? 'keys, sealed with the passphrase' : 'no keys'}.`,
  );
  tellMissing(manifest);
}

export function tellMissing({ missing }: Manifest): void {
  if (!missing.length) return;
  console.log(`${numbered(missing.length, 'object')} had no data on the server, so none is included:`);
  list(missing);
}

export function list(lines: readonly string[], write: (line: string) => void = console.log): void {
  for (const line of lines.slice(0, MOST_SHOWN)) write(`  ${line}`);
  if (lines.length > MOST_SHOWN) write(`  and ${lines.length - MOST_SHOWN} more`);
}

export const rowsOf = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

export const numbered = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
