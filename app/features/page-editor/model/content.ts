import { type PageKind, pageSchemas } from '#features/pages/model/page-schemas.ts';
import { type Difference, linesOf } from '#features/projects/model/versions/version-difference.ts';
import { wordDiff } from '#lib/data/word-diff.ts';
import { pageErrors } from '#lib/fields/check-page.ts';
import { line, type PageField, type PageFields, type PagePicture } from '#lib/fields/page-field.ts';
import { REQUIRED_MESSAGE } from '#lib/fields/text-field.ts';
import { MAX_TITLE_LENGTH } from './pages.ts';

export type PageValues = Record<string, unknown>;

export const formFields = (kind: PageKind): PageFields =>
  kind === 'free' ? { title: line('Title', MAX_TITLE_LENGTH), ...pageSchemas.free.fields } : pageSchemas[kind].fields;

/** Values of the form. @param content null for the built-in words, which fill what is missing, too */
export function formValuesOf(kind: PageKind, content: PageValues | null, title: string | null): PageValues {
  const { fields, words } = pageSchemas[kind];
  const values = valuesIn(fields, content, words);
  return kind === 'free' ? { title: title ?? '', ...values } : values;
}

const valuesIn = (fields: PageFields, stored: unknown, otherwise: unknown): PageValues => {
  const [values, words] = [stored, otherwise].map((one) => (isObject(one) ? one : {})) as [PageValues, PageValues];
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      editedValue(field, values[name], words[name] ?? emptyValue(field)),
    ]),
  );
};

/** Unlike `readContent`, keeps what cannot be published: a draft may have empty fields and incomplete sections. */
function editedValue(field: PageField, stored: unknown, otherwise: unknown): unknown {
  switch (field.kind) {
    case 'record':
      return valuesIn(field.fields, stored, otherwise);
    case 'lines':
      return Array.isArray(stored) ? stored.map(String) : otherwise;
    case 'picture':
      return isObject(stored) ? { path: '', alt: '', ...stored } : otherwise;
    case 'list':
      return Array.isArray(stored) ? stored.map((entry) => valuesIn(field.fields, entry, {})) : otherwise;
    case 'sections':
      return Array.isArray(stored)
        ? stored
            .filter((section) => isObject(section) && String(section['kind']) in field.kinds)
            .map((section: PageValues) => ({
              ...valuesIn(sectionFields(field, section), section, {}),
              kind: section['kind'],
            }))
        : otherwise;
    default:
      return typeof stored === 'string' ? stored : otherwise;
  }
}

const isObject = (value: unknown): value is PageValues => typeof value === 'object' && value !== null;

export function storedOf(kind: PageKind, values: PageValues): { title: string | null; content: PageValues } {
  const tidied = tidiedFields(formFields(kind), values);
  if (kind !== 'free') return { title: null, content: tidied };
  const { title, ...content } = tidied;
  return { title: title as string, content };
}

const tidiedFields = (fields: PageFields, values: PageValues): PageValues => ({
  ...values,
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, tidiedValue(field, values[name])])),
});

function tidiedValue(field: PageField, value: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return (value as string).trim();
    case 'lines':
      return (value as string[]).map((line) => line.trim()).filter(Boolean);
    case 'record':
      return tidiedFields(field.fields, value as PageValues);
    case 'list':
      return (value as PageValues[]).map((entry) => tidiedFields(field.fields, entry));
    case 'sections':
      return (value as PageValues[]).map((section) => tidiedFields(sectionFields(field, section), section));
    default:
      return value;
  }
}

export const sectionFields = ({ kinds }: Extract<PageField, { kind: 'sections' }>, section: PageValues): PageFields =>
  kinds[String(section['kind'])]?.fields ?? {};

export const emptyContent = (fields: PageFields): PageValues =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, emptyValue(field)]));

function emptyValue(field: PageField): unknown {
  switch (field.kind) {
    case 'picture':
      return { path: '', alt: '' };
    case 'choice':
      return Object.keys(field.options)[0];
    case 'record':
      return emptyContent(field.fields);
    case 'list':
      return Array.from({ length: field.least }, () => emptyContent(field.fields));
    case 'lines':
    case 'sections':
      return [];
    default:
      return '';
  }
}

/** Errors by place, such as `hero.lead`, of what cannot be published. */
export const pageErrorsIn = (kind: PageKind, values: PageValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pageErrors(formFields(kind), tidiedFields(formFields(kind), values))).map(([place, message]) => [
      place,
      place.endsWith('.path') && message === REQUIRED_MESSAGE ? 'Please choose a picture' : message,
    ]),
  );

export function labelOfPlace(kind: PageKind, place: string): string {
  let fields: PageFields | undefined = formFields(kind);
  let field: PageField | undefined;
  const labels: string[] = [];
  for (const part of place.split('.')) {
    if (/^\d+$/.test(part)) {
      labels.push(`${labels.pop()} ${Number(part) + 1}`);
      continue;
    }
    field = fields?.[part];
    if (field?.kind === 'sections')
      fields = Object.assign({}, ...Object.values(field.kinds).map((kind) => kind.fields));
    else fields = field && 'fields' in field ? field.fields : undefined;
    if (field) labels.push(field.label);
  }
  return labels.join(', ');
}

export const pageDifferences = (kind: PageKind, before: PageValues, after: PageValues): Difference[] =>
  differencesIn(formFields(kind), before, after, '');

const differencesIn = (fields: PageFields, before: PageValues, after: PageValues, prefix: string): Difference[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const [old, changed] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(changed)) return [];
    const label = prefix + field.label;
    return field.kind === 'record'
      ? differencesIn(field.fields, old as PageValues, changed as PageValues, `${label}, `)
      : [difference(label, label, textOf(field, old), textOf(field, changed))];
  });

function difference(key: string, name: string, before: string, after: string): Difference {
  if (before === after) return { key, name, shape: 'form' };
  return { key, name, shape: 'text', pieces: wordDiff(before, after) };
}

export function textOf(field: PageField, value: unknown): string {
  switch (field.kind) {
    case 'lines':
      return (value as string[]).join('\n');
    case 'html':
      return linesOf(value as string);
    case 'choice':
      return field.options[value as string] ?? '';
    case 'picture': {
      const { path, alt } = value as PagePicture;
      return path && `Picture “${alt || path.split('/').at(-1)}”`;
    }
    case 'record':
      return textsIn(field.fields, value as PageValues).join('\n');
    case 'list':
      return (value as PageValues[]).map((entry) => textsIn(field.fields, entry).join(' · ')).join('\n');
    case 'sections':
      return (value as PageValues[])
        .map((section) => textsIn(sectionFields(field, section), section).join('\n'))
        .join('\n\n');
    default:
      return value as string;
  }
}

const textsIn = (fields: PageFields, values: PageValues): string[] =>
  Object.entries(fields)
    .map(([name, field]) => textOf(field, values[name]))
    .filter(Boolean);
