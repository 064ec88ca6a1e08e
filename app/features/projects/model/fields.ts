import type { StoredCredit } from '#features/credits/model/credits.ts';
import type { CreditRow } from '#features/credits/model/rows.ts';
import type { FactValues } from '#features/settings/model/project-facts.ts';
import type { Category } from '#lib/words/categories.ts';

/** Value type of each field kind in the form and in the database. Only HTML has more than one line. */
interface Values {
  line: [form: string, stored: string | null];
  html: [form: string, stored: string | null];
  money: [form: string, stored: number | null];
  flag: [form: boolean, stored: boolean];
  day: [form: string, stored: string | null];
  status: [form: string, stored: string];
  category: [form: Category | '', stored: string | null];
  tags: [form: string[], stored: string[]];
  credits: [form: CreditRow[], stored: StoredCredit[]];
  facts: [form: Record<string, string>, stored: FactValues];
}
type Kind = keyof Values;

/** Each field once, by column, in the order of reading: form, conflict, version, lists and details derive from it. */
export const PROJECT_FIELDS = {
  title: { label: 'Title', kind: 'line' },
  client: { label: 'Client', kind: 'line' },
  status: { label: 'Status', kind: 'status' },
  budget: { label: 'Budget', kind: 'money' },
  show_budget: { label: 'Budget shown publicly', kind: 'flag' },
  start_date: { label: 'Start date', kind: 'day' },
  end_date: { label: 'End date', kind: 'day' },
  description: { label: 'The Brief', kind: 'html' },
  understanding: { label: 'Our Understanding', kind: 'html' },
  actions: { label: 'What We Did', kind: 'html' },
  impact: { label: 'The Impact', kind: 'html' },
  category: { label: 'Category', kind: 'category' },
  tags: { label: 'Tags', kind: 'tags' },
  credits: { label: 'Who made what', kind: 'credits' },
  facts: { label: 'Facts', kind: 'facts' },
} as const satisfies Record<string, { label: string; kind: Kind }>;

type Fields = typeof PROJECT_FIELDS;
export type ProjectField = keyof Fields;
export type FieldsOfKind<K extends Kind> = {
  [Name in ProjectField]: Fields[Name]['kind'] extends K ? Name : never;
}[ProjectField];

export type ProjectFields = { [Name in ProjectField]: Values[Fields[Name]['kind']][0] };
/** Database values; only the title is never null. */
export type StoredFields = { [Name in ProjectField]: Values[Fields[Name]['kind']][1] } & { title: string };

export const FIELD_NAMES = Object.keys(PROJECT_FIELDS) as ProjectField[];

export const kindOf = (field: ProjectField): Kind => PROJECT_FIELDS[field].kind;

export const fieldsOfKind = <K extends Kind>(...kinds: K[]): FieldsOfKind<K>[] =>
  FIELD_NAMES.filter((name) => kinds.some((kind) => kind === kindOf(name))) as FieldsOfKind<K>[];

export type Subtitle = Exclude<FieldsOfKind<'line'>, 'title'>;
/** The lines below the title, shown with it in lists and articles and found by every search. */
export const SUBTITLES = fieldsOfKind('line').filter((name): name is Subtitle => name !== 'title');

export const eachField = <T>(value: (field: ProjectField, kind: Kind) => unknown): T =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name, kindOf(name))])) as T;

type FactKey = `facts.${string}`;
/** Each fact as a field of its own, so that conflicts are found for each; without empty ones. */
export type FlatFields = Omit<ProjectFields, 'facts'> & { [Key in FactKey]?: string };
export type FlatField = Exclude<ProjectField, 'facts'> | FactKey;

export const isFact = (field: FlatField): field is FactKey => field.startsWith('facts.');

export const flatFields = ({ facts, ...fields }: ProjectFields): FlatFields => ({
  ...fields,
  ...Object.fromEntries(Object.entries(facts).flatMap(([id, text]) => (text.trim() ? [[`facts.${id}`, text]] : []))),
});

export function nestedFields(flat: FlatFields): ProjectFields {
  const entries = Object.entries(flat) as [FlatField, string | undefined][];
  const facts = entries.flatMap(([key, text]) => (isFact(key) && text ? [[key.slice('facts.'.length), text]] : []));
  const others = entries.filter(([key]) => !isFact(key));
  return { ...Object.fromEntries(others), facts: Object.fromEntries(facts) } as ProjectFields;
}

/** HTML values and all others: the data service sanitizes HTML only in separate arguments. */
export function splitTexts(values: StoredFields) {
  const fieldsWhere = (isText: boolean) =>
    Object.fromEntries(FIELD_NAMES.filter((n) => (kindOf(n) === 'html') === isText).map((n) => [n, values[n]]));
  return { texts: fieldsWhere(true), plain: fieldsWhere(false) };
}

export function fieldParameters(values: StoredFields) {
  const { texts, plain } = splitTexts(values);
  return { p_fields: plain, ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`p_${name}`, text])) };
}
