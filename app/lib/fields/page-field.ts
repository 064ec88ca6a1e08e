import { type FieldSpec, type Fields, mapFields, type PagePicture, type Values } from './field.ts';

/** Fields of a page, each with its built-in words. */
export interface PageFields {
  readonly [name: string]: FieldSpec & ({ kind: 'record'; fields: PageFields } | { words: unknown });
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
): PageSchema<Kind, Fields> => ({ kind, label, fields, words: wordsOf(fields) as ContentOf<Fields> });

const wordsOf = (fields: Fields): Values =>
  mapFields(fields, {}, (field) => (field.kind === 'record' ? wordsOf(field.fields) : field.words));

const worded = <const Spec extends FieldSpec>(spec: Spec) => ({
  ...spec,
  is: (words: ValueOf<Spec>) => ({ ...spec, words }),
});

const LINK = 'A page of this site such as /about, a part such as /#services, or an address that begins with https://';

export const line = (label: string, limit = 80, help?: string) => worded({ kind: 'text', label, limit, help });
export const link = (label: string) => worded({ kind: 'text', label, limit: 500, format: 'link', help: LINK });
export const text = (label: string, limit = 600, help?: string) =>
  worded({ kind: 'text', rows: 3, label, limit, help });
export const searchText = (help = '') => text('Description', 300, `Under the title in search results. ${help}`);
export const slip = line('Line on link previews', 80);
export const metaWords = (title: string, preview: string, description: string, help?: string) => ({
  title: line('Title', 60, 'In the browser and in search results.').is(title),
  description: searchText(help).is(description),
  slip: slip.is(preview),
});
export const lines = (label: string, noun = 'lines', least = 1, most = 12, help = 'One to a line.') =>
  worded({ kind: 'lines', rows: 5, limit: 800, label, noun, least, most, help });
export const prose = () => lines('Text', 'paragraphs', 1, 6, 'One paragraph to a line.');
export const group = <const Content extends PageFields>(label: string, fields: Content) =>
  ({ kind: 'record', label, fields, titled: true }) as const;
export const section = <const Content extends PageFields>(label: string, heading: string, fields: Content) =>
  group(label, { title: line('Title').is(heading), ...fields });
export const list = <const Entry extends Fields>(
  label: string,
  noun: readonly [one: string, many: string],
  fields: Entry,
  [least, most]: readonly [least: number, most: number] = [1, 12],
) => worded({ kind: 'list', label, noun, fields, least, most });

const PLACEHOLDER = /\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g;

/** `{seats}` becomes the value of that name, `{seats|seat|seats}` the word for one or several. */
export function fillWords<Content>(content: Content, values: Record<string, string>): Content {
  if (typeof content === 'string')
    return content.replaceAll(PLACEHOLDER, (found, name: string, one?: string, several?: string) => {
      const value = values[name] ?? found;
      return one === undefined || value === found ? value : value === '1' ? one : several!;
    }) as Content;
  if (typeof content !== 'object' || content === null) return content;
  if (Array.isArray(content)) return content.map((one) => fillWords(one, values)) as Content;
  return Object.fromEntries(Object.entries(content).map(([name, one]) => [name, fillWords(one, values)])) as Content;
}

/** Published content by kind of page. A kind that is missing has its built-in words. */
export type Contents = { readonly [Kind in string]?: unknown };

const lastFilled = new WeakMap<object, { for: string; content: unknown }>();

export function contentOf<Fields extends PageFields>(
  { kind, words }: PageSchema<string, Fields>,
  contents: Contents,
  { city, name, portfolioName }: { city: string; name: string; portfolioName: string },
): ContentOf<Fields> {
  const content = (contents[kind] ?? words) as ContentOf<Fields>;
  const values = { city, agency: name, portfolio: portfolioName };
  const key = Object.values(values).join('\n');
  if (lastFilled.get(content)?.for !== key) lastFilled.set(content, { for: key, content: fillWords(content, values) });
  return lastFilled.get(content)!.content as ContentOf<Fields>;
}
