import { storedCredits } from '#features/credits/model/credits.ts';
import { type CreditRow, creditsOf, creditsProblem, rowsOf } from '#features/credits/model/rows.ts';
import { MOST_BUDGET } from '#lib/data/limits.ts';
import { type Category, isCategory } from '#lib/words/categories.ts';
import type { ProjectInFull } from './read.ts';
import { isStatus } from './status.ts';
import { tagsProblem } from './tags.ts';
import type { ProjectValues } from './write.ts';

export interface ProjectFields {
  title: string;
  description: string;
  client: string;
  status: string;
  budget: string;
  showBudget: boolean;
  startDate: string;
  endDate: string;
  understanding: string;
  actions: string;
  impact: string;
  category: Category | '';
  tags: string[];
  credits: CreditRow[];
}

export type FieldErrors = Partial<Record<keyof ProjectFields, string>>;

const PLAIN = ['title', 'client', 'status', 'budget', 'showBudget', 'startDate', 'endDate', 'category'] as const;
type PlainFields = Pick<ProjectFields, (typeof PLAIN)[number]>;

export const plainFieldsIn = (typed: FormData): PlainFields =>
  Object.fromEntries(
    PLAIN.map((name) => [name, name === 'showBudget' ? typed.has(name) : String(typed.get(name) ?? '')]),
  ) as unknown as PlainFields;

const CENTS = /^\d+(\.\d{1,2})?$/;

export const fieldsOf = (project?: ProjectInFull): ProjectFields => ({
  title: project?.title ?? '',
  description: project?.description ?? '',
  client: project?.client ?? '',
  status: project?.status ?? 'draft',
  budget: project?.budget?.toString() ?? '',
  showBudget: project?.show_budget ?? true,
  startDate: project?.start_date ?? '',
  endDate: project?.end_date ?? '',
  understanding: project?.understanding ?? '',
  actions: project?.actions ?? '',
  impact: project?.impact ?? '',
  category: isCategory(project?.category) ? project.category : '',
  tags: project?.tags ?? [],
  credits: rowsOf(project?.credits ?? []),
});

export function checkFields(fields: ProjectFields): FieldErrors {
  const errors: FieldErrors = {};
  if (fields.title.trim() === '') errors.title = 'Title is required';
  if (!isStatus(fields.status)) errors.status = 'Status is required';
  const budget = fields.budget.trim();
  if (budget !== '' && (!CENTS.test(budget) || Number(budget) > MOST_BUDGET)) {
    errors.budget = 'Budget must be a number of 0 or more, with at most two decimals';
  }
  if (fields.startDate && fields.endDate && fields.endDate < fields.startDate) {
    errors.endDate = 'The end date is before the start date';
  }
  const tags = tagsProblem(fields.tags);
  if (tags) errors.tags = tags;
  const credits = creditsProblem(fields.credits);
  if (credits) errors.credits = credits.message;
  return errors;
}

/** The row to write. Empty texts, amounts and dates become null. Only for fields that passed `checkFields`. */
export function valuesOf(fields: ProjectFields): ProjectValues {
  if (!isStatus(fields.status)) throw new RangeError(`"${fields.status}" is not a status`);
  const budget = fields.budget.trim();
  return {
    title: fields.title.trim(),
    description: orNull(fields.description),
    client: orNull(fields.client),
    status: fields.status,
    budget: budget === '' ? null : Number(budget),
    show_budget: fields.showBudget,
    start_date: orNull(fields.startDate),
    end_date: orNull(fields.endDate),
    understanding: orNull(fields.understanding),
    actions: orNull(fields.actions),
    impact: orNull(fields.impact),
    category: fields.category || null,
    tags: fields.tags,
    credits: storedCredits(creditsOf(fields.credits)),
  };
}

const orNull = (text: string) => text.trim() || null;
