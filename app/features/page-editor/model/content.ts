import { draftText } from '#features/fields/model/draft-text.ts';
import { type PageKind, pageSchemas } from '#features/pages/model/page-schemas.ts';
import type { Difference } from '#features/projects/model/versions/version-difference.ts';
import { wordDiff } from '#lib/data/word-diff.ts';
import { checkValues } from '#lib/fields/check-field.ts';
import type { ErrorsByPlace, Fields, Values } from '#lib/fields/field.ts';
import { draftsOf, typedValues } from '#lib/fields/field-draft.ts';
import { line } from '#lib/fields/page-field.ts';
import { MAX_TITLE_LENGTH } from './pages.ts';

export const formFields = (kind: PageKind): Fields =>
  kind === 'free' ? { title: line('Title', MAX_TITLE_LENGTH), ...pageSchemas.free.fields } : pageSchemas[kind].fields;

export const draftsOfPage = (kind: PageKind, content: Values | null, title: string | null): Values =>
  draftsOf(formFields(kind), kind === 'free' ? { ...content, title } : content);

export function storedOf(kind: PageKind, drafts: Values): { title: string | null; content: Values } {
  const content = typedValues(formFields(kind), drafts);
  if (kind !== 'free') return { title: null, content };
  const { title, ...rest } = content;
  return { title: title as string, content: rest };
}

export const pageErrorsIn = (kind: PageKind, drafts: Values): ErrorsByPlace =>
  checkValues(formFields(kind), typedValues(formFields(kind), drafts)).errors;

export function labelOfPlace(kind: PageKind, place: string): string {
  let fields = formFields(kind);
  const labels: string[] = [];
  for (const part of place.split('.')) {
    const field = fields[part];
    if (/^\d+$/.test(part)) labels.push(`${labels.pop()} ${Number(part) + 1}`);
    if (!field) continue;
    labels.push(field.label);
    if (field.kind === 'sections') fields = Object.assign({}, ...Object.values(field.kinds).map((kind) => kind.fields));
    else if ('fields' in field) fields = field.fields;
  }
  return labels.join(', ');
}

export const pageDifferences = (kind: PageKind, before: Values, after: Values): Difference[] =>
  differencesIn(formFields(kind), before, after, '');

const differencesIn = (fields: Fields, before: Values, after: Values, prefix: string): Difference[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const [old, changed] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(changed)) return [];
    const label = prefix + field.label;
    return field.kind === 'record'
      ? differencesIn(field.fields, old as Values, changed as Values, `${label}, `)
      : [difference(label, draftText(field, old), draftText(field, changed))];
  });

const difference = (name: string, before: string, after: string): Difference =>
  before === after
    ? { key: name, name, shape: 'form' }
    : { key: name, name, shape: 'text', pieces: wordDiff(before, after) };
