import type { TextFormat } from './text-formats.ts';

export type TextLimits = { limit: number; optional?: true | undefined; format?: TextFormat | undefined };

export type TextSpec = TextLimits & { kind: 'text'; rows?: number; mostLines?: number };
export type LinesField = TextLimits & { kind: 'lines'; rows: number; least?: number; most: number; noun: string };
interface ListField {
  kind: 'list';
  fields: Fields;
  least?: number;
  most: number;
  noun: readonly [one: string, many: string];
  distinct?: true;
  see?: string;
}
interface RecordField {
  kind: 'record';
  fields: Fields;
  isArray?: true;
  titled?: true;
  rules?: readonly (readonly [fits: (value: never) => boolean, path: readonly (string | number)[], message: string])[];
}
interface SectionsField {
  kind: 'sections';
  most: number;
  noun?: readonly [one: string, many: string];
  distinct?: true;
  kinds: Record<string, { label: string; fields: Fields }>;
}

/** One input of a form, or several: settings, and the words and pictures of pages. */
export type FieldSpec = { label: string; help?: string | undefined; words?: unknown } & (
  | TextSpec
  | LinesField
  | ListField
  | RecordField
  | SectionsField
  /** HTML as `rich-text.ts` allows it. */
  | { kind: 'html'; limit: number }
  | { kind: 'choice'; options: Record<string, string> }
  | { kind: 'number' | 'amount'; least: number; most: number }
  | { kind: 'picture'; optional?: true }
  /** `id` has no input: the server chooses it. */
  | { kind: 'switch' | 'day' | 'time' | 'logo' | 'id' }
);

export interface Fields {
  readonly [name: string]: FieldSpec;
}

/** A picture of a page: a path or address, and words for those who do not see it. An empty path is no picture. */
export interface PagePicture {
  path: string;
  alt: string;
  /** Size of the file, so that its place is reserved. */
  width?: number | null | undefined;
  height?: number | null | undefined;
}

export type Values = Record<string, unknown>;
/** Errors by place, such as `services.list.1.name`: the names of the form's fields. */
export type ErrorsByPlace = Record<string, string>;

type Convert = (field: FieldSpec, value: unknown) => unknown;

export const mapFields = (fields: Fields, values: unknown, convert: Convert): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field, (values as Values)?.[name])]));

export const sectionFields = ({ kinds }: SectionsField, section: unknown): Fields =>
  kinds[String((section as Values)['kind'])]?.fields ?? {};
