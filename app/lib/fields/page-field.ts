import * as z from 'zod/mini';
import { type FieldWords, type LinesField, linesSchema, type TextSetting, textSchema } from './text-field.ts';

/** A picture of a page: a path or address, and words for those who do not see it. An empty path is no picture. */
export interface PagePicture {
  path: string;
  alt: string;
  /** Size of the file, so that its place is reserved. */
  width?: number | null | undefined;
  height?: number | null | undefined;
}

type PictureField = FieldWords & { kind: 'picture'; optional?: true };
/** HTML as `rich-text.ts` allows it. */
type HtmlField = FieldWords & { kind: 'html'; limit: number };
type ChoiceField = FieldWords & { kind: 'choice'; options: Record<string, string> };
export type PageList = FieldWords & {
  kind: 'list';
  fields: PageFields;
  least: number;
  most: number;
  noun: readonly [one: string, many: string];
};
type PageGroup = FieldWords & { kind: 'record'; fields: PageFields };
export type SectionsField = FieldWords & {
  kind: 'sections';
  most: number;
  kinds: Record<string, { label: string; fields: PageFields }>;
};

export type PageField =
  | TextSetting
  | LinesField
  | PictureField
  | HtmlField
  | ChoiceField
  | PageList
  | PageGroup
  | SectionsField;
export interface PageFields {
  readonly [name: string]: PageField;
}

type ValueOf<Field> = Field extends { kind: 'lines' }
  ? readonly string[]
  : Field extends { kind: 'picture' }
    ? Readonly<PagePicture>
    : Field extends { kind: 'choice'; options: infer Options }
      ? keyof Options & string
      : Field extends { kind: 'list'; fields: infer Fields }
        ? readonly ContentOf<Fields>[]
        : Field extends { kind: 'record'; fields: infer Fields }
          ? ContentOf<Fields>
          : Field extends { kind: 'sections'; kinds: infer Kinds }
            ? readonly {
                [Kind in keyof Kinds]: Kinds[Kind] extends { fields: infer Fields }
                  ? ContentOf<Fields> & { readonly kind: Kind }
                  : never;
              }[keyof Kinds][]
            : string;
export type ContentOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

/** The words of a page in the code: its fields, and what they hold until an admin changes them. */
export interface PageSchema<Kind extends string = string, Fields extends PageFields = PageFields> {
  kind: Kind;
  label: string;
  fields: Fields;
  words: ContentOf<Fields>;
}

export const definePage = <const Kind extends string, const Fields extends PageFields>(
  kind: Kind,
  label: string,
  fields: Fields,
  words: ContentOf<Fields>,
): PageSchema<Kind, Fields> => ({ kind, label, fields, words });

export const CITY = '{city} becomes the city in Settings.';
export const NAME = '{agency} becomes the site name in Settings.';

export const line = (label: string, limit = 80, help?: string) => ({ kind: 'text', label, limit, help }) as const;
export const link = (label: string) => ({
  ...({ kind: 'text', label, limit: 500, format: 'link' } as const),
  help: 'A page of this site such as /about, a part such as /#services, or an address that begins with https://',
});
export const text = (label: string, limit = 600, help?: string) =>
  ({ kind: 'text', rows: 3, label, limit, help }) as const;
export const searchText = (help?: string) =>
  text('Description', 300, `Under the title in search results. ${help ?? ''}`);
export const lines = (label: string, noun = 'lines', least = 1, most = 12) =>
  ({ kind: 'lines', rows: 5, limit: 800, label, noun, least, most, help: 'One to a line.' }) as const;
export const paragraphs = (label = 'Text') =>
  ({ ...lines(label, 'paragraphs', 1, 6), help: 'One paragraph to a line.' }) as const;
export const group = <const Fields extends PageFields>(label: string, fields: Fields) =>
  ({ kind: 'record', label, fields }) as const;
export const list = <const Fields extends PageFields>(
  label: string,
  noun: readonly [one: string, many: string],
  fields: Fields,
  [least, most]: readonly [least: number, most: number] = [1, 12],
) => ({ kind: 'list', label, noun, fields, least, most }) as const;

function schemaOf(field: PageField): z.ZodMiniType {
  switch (field.kind) {
    case 'text':
      return textSchema(field);
    case 'lines':
      return linesSchema(field);
    case 'html':
      return textSchema(field);
    case 'choice':
      return z.enum(Object.keys(field.options), 'Please choose one');
    case 'picture':
      return z.object({
        path: textSchema({ limit: 500, optional: field.optional, format: 'picture' }),
        alt: textSchema({ limit: 500, optional: true }),
        width: z.nullish(z.number()),
        height: z.nullish(z.number()),
      });
    case 'list':
      return z
        .array(objectOf(field.fields))
        .check(
          z.minLength(field.least, `Please add at least ${field.least} ${field.noun[field.least === 1 ? 0 : 1]}`),
          z.maxLength(field.most, `Please keep this to ${field.most} ${field.noun[1]}`),
        );
    case 'record':
      return objectOf(field.fields);
    case 'sections':
      return z.array(sectionOf(field)).check(z.maxLength(field.most, `Please keep this to ${field.most} sections`));
  }
}

const objectOf = (fields: PageFields) =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])));

const sectionOf = ({ kinds }: SectionsField) =>
  z.union(Object.entries(kinds).map(([kind, { fields }]) => z.extend(objectOf(fields), { kind: z.literal(kind) })));

/** Errors by place, such as `services.list.1.name`. */
export function pageErrors(fields: PageFields, content: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = (content as Record<string, unknown> | null)?.[name];
    // A union reports no error of a single field.
    const parts: [place: string, schema: z.ZodMiniType, value: unknown][] =
      field.kind === 'sections' && Array.isArray(value)
        ? value.map((section, at) => [
            `${name}.${at}`,
            objectOf(field.kinds[(section as { kind: string }).kind]?.fields ?? {}),
            section,
          ])
        : [[name, schemaOf(field), value]];
    for (const [place, schema, part] of parts)
      for (const { path, message } of schema.safeParse(part).error?.issues ?? [])
        errors[[place, ...path].join('.')] ??= message;
  }
  return errors;
}

/** Stored content with the built-in words for each field that is missing or invalid. Invalid sections are left out. */
export function readContent<Fields extends PageFields>(
  fields: Fields,
  stored: unknown,
  words: ContentOf<Fields>,
): ContentOf<Fields> {
  const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const entries = Object.entries(fields).map(([name, field]) => {
    const otherwise = words[name as keyof Fields] as unknown;
    if (field.kind === 'record') return [name, readContent(field.fields, values[name], otherwise as never)];
    if (field.kind === 'sections') {
      const section = sectionOf(field);
      const found = Array.isArray(values[name]) ? values[name] : [];
      return [
        name,
        found
          .map((one) => section.safeParse(one).data)
          .filter(Boolean)
          .slice(0, field.most),
      ];
    }
    const { success, data } = schemaOf(field).safeParse(values[name]);
    return [name, success ? data : otherwise];
  });
  return Object.fromEntries(entries) as ContentOf<Fields>;
}

function fillWords<Content>(content: Content, values: Record<string, string>): Content {
  if (typeof content === 'string')
    return content.replaceAll(/\{(\w+)\}/g, (found, name: string) => values[name] ?? found) as Content;
  if (typeof content !== 'object' || content === null) return content;
  if (Array.isArray(content)) return content.map((one) => fillWords(one, values)) as Content;
  return Object.fromEntries(Object.entries(content).map(([name, one]) => [name, fillWords(one, values)])) as Content;
}

/** Published content by kind of page. A kind that is missing has its built-in words. */
export type Contents = { readonly [Kind in string]?: unknown };

export const contentOf = <Fields extends PageFields>(
  { kind, words }: PageSchema<string, Fields>,
  contents: Contents,
  { city, name }: { city: string; name: string },
): ContentOf<Fields> => fillWords((contents[kind] ?? words) as ContentOf<Fields>, { city, agency: name });
