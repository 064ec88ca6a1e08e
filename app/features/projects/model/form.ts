import { storedCredits } from '#features/credits/model/credits.ts';
import { type CreditRow, creditsOf, creditsProblem, rowsOf } from '#features/credits/model/rows.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { MAX_BUDGET } from '#lib/data/limits.ts';
import { isCategory } from '#lib/words/categories.ts';
import { eachField, type FlatField, fieldsOfKind, type ProjectFields } from './fields.ts';
import type { ProjectInFull } from './read.ts';
import { isStatus } from './status.ts';
import { tagsProblem } from './tags.ts';
import type { ProjectValues } from './write.ts';

export type FieldErrors = Partial<Record<FlatField, string>>;

const NATIVE = fieldsOfKind('line', 'status', 'money', 'flag', 'day', 'category');

export const nativeFieldsIn = (form: FormData): Pick<ProjectFields, (typeof NATIVE)[number]> =>
  Object.fromEntries(
    NATIVE.map((name) => [name, name === 'show_budget' ? form.has(name) : String(form.get(name) ?? '')]),
  ) as ReturnType<typeof nativeFieldsIn>;

const CENTS = /^\d+(\.\d{1,2})?$/;

export const fieldsOf = (project?: ProjectInFull): ProjectFields =>
  eachField((field, kind) => {
    if (kind === 'credits') return rowsOf(project?.credits ?? []);
    if (kind === 'tags') return project?.tags ?? [];
    if (kind === 'facts')
      return Object.fromEntries(Object.entries(project?.facts ?? {}).map(([id, value]) => [id, String(value ?? '')]));
    if (kind === 'category') return isCategory(project?.category) ? project.category : '';
    if (kind === 'status') return project?.status ?? 'draft';
    const value = project?.[field];
    return kind === 'flag' ? (value ?? true) : (value?.toString() ?? '');
  });

export function checkFields(fields: ProjectFields, defined: readonly ProjectFact[] = []): FieldErrors {
  const budget = fields.budget.trim();
  const isWrongBudget = budget !== '' && (!CENTS.test(budget) || Number(budget) > MAX_BUDGET);
  const endsEarly = fields.start_date && fields.end_date && fields.end_date < fields.start_date;
  const factErrors = defined.map((fact) => [`facts.${fact.id}`, factProblem(fact, fields)] as const);
  const errors: Partial<Record<FlatField, string | null | false>> = {
    title: fields.title.trim() === '' && 'Title is required',
    status: !isStatus(fields.status) && 'Status is required',
    budget: isWrongBudget && 'Budget must be a number of 0 or more, with at most two decimals',
    end_date: endsEarly && 'The end date is before the start date',
    ...Object.fromEntries(factErrors),
    tags: tagsProblem(fields.tags),
    credits: creditsProblem(fields.credits)?.message,
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error)) as FieldErrors;
}

/** The row to write. Empty texts, amounts and dates become null. Only for fields that passed `checkFields`. */
export function valuesOf(fields: ProjectFields): ProjectValues {
  if (!isStatus(fields.status)) throw new RangeError(`"${fields.status}" is not a status`);
  return eachField((field, kind) => {
    const value = fields[field];
    if (kind === 'credits') return storedCredits(creditsOf(value as CreditRow[]));
    if (typeof value !== 'string') return value;
    const text = value.trim() || null;
    return kind === 'money' && text ? Number(text) : text;
  });
}

/** The error of what was typed, or null. The database checks the same. */
function factProblem({ id, kind, name, required }: ProjectFact, { facts, status }: ProjectFields): string | null {
  const text = (facts[id] ?? '').trim();
  if (text === '') return required && status !== 'draft' ? `${name} is required for a published project` : null;
  if (kind === 'number' && !/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return `${name} is a number, such as 1200 or 12.5`;
  if (kind === 'link' && !isAddress(text)) return `${name} is an address that begins with https://`;
  return null;
}

export const isAddress = (text: string): boolean => /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/i.test(text);
