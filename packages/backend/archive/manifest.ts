import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Entries in order: `HEAD`, tables in parts, objects, the keys if requested, `MANIFEST`, its checksum. */
export const FORMAT = 1;
export const HEAD = 'madhouse-archive.json';
export const MANIFEST = 'manifest.json';
export const MANIFEST_SUM = 'manifest.sha256';
export const KEYS = 'keys.sealed';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const nonNegative = z.int().min(0);
const name = z.string().min(1).max(63);

export const ArchiveHead = z.strictObject({ product: z.literal('madhouse'), format: z.int().min(1) });

const Table = z.strictObject({
  schema: name,
  name,
  columns: z.array(name),
  rows: nonNegative,
  checksum: sha256,
  parts: nonNegative,
});

export const Manifest = z.strictObject({
  version: z.string(),
  engine: z.enum(['pglite', 'postgres']),
  madeAt: z.iso.datetime(),
  /** `accounts`: only these, for another installation. `take-away`: without credentials. */
  contents: z.enum(['everything', 'accounts', 'take-away']).default('everything'),
  migrations: z.array(z.strictObject({ version: z.string(), name: z.string(), checksum: sha256.nullable() })),
  tables: z.array(Table),
  sequences: z.array(z.strictObject({ schema: name, name, last: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  objects: z.strictObject({ count: nonNegative, bytes: nonNegative }),
  missing: z.array(z.string()),
  keys: z.boolean(),
  files: z.array(z.strictObject({ name: z.string(), size: nonNegative, sha256 })),
});

export type Manifest = z.infer<typeof Manifest>;
export type ArchivedTable = Manifest['tables'][number];
export type ArchivedFile = Manifest['files'][number];

export const qualifiedName = ({ schema, name }: Pick<ArchivedTable, 'schema' | 'name'>): string => `${schema}.${name}`;

export const partName = (table: Pick<ArchivedTable, 'schema' | 'name'>, part: number): string =>
  `tables/${qualifiedName(table)}/${String(part).padStart(6, '0')}.ndjson.zst`;

export const objectName = (version: string): string => `objects/${version}`;

/** Names are made from parts that cannot leave a folder. */
export const isEntryName = (text: string): boolean =>
  [HEAD, MANIFEST, MANIFEST_SUM, KEYS].includes(text) ||
  /^tables\/[\w$-]+\.[\w$-]+\/\d{6}\.ndjson\.zst$/.test(text) ||
  /^objects\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Order-independent checksum: equal rows give equal sums. */
export class TableSum {
  rows = 0;
  #sum = 0n;

  add(line: string): void {
    this.rows++;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`));
  }

  /** 64 hexadecimal digits: the sum of the rows' SHA-256, modulo 2^256. */
  get checksum(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
