import type { FieldSpec, Fields } from '#lib/fields/field.ts';

export interface ProjectFact {
  id: string;
  kind: 'text' | 'number' | 'link' | 'choice' | 'date';
  name: string;
  help: string;
  required: boolean;
  shown: Shown;
  /** Of a choice. */
  options?: string[];
}

type Shown = 'page' | 'card' | 'filter' | 'everywhere' | 'none';
export type FactValues = Readonly<Record<string, string | number>>;

const PLACES = { page: 'On its page', card: 'On its page and card' };
const CHOICE_PLACES = {
  ...PLACES,
  filter: 'On its page, and as a filter of the list',
  everywhere: 'On its page and card, and as a filter',
};
const NOWHERE = { none: 'Only in the admin area and the API' };

const kindOf = (label: string, places: Record<string, string>, options: Fields = {}) => ({
  label,
  fields: {
    id: { kind: 'id', label: '' },
    name: { kind: 'text', limit: 60, label: 'Name' },
    help: { kind: 'text', limit: 200, optional: true, label: 'Help text (optional)' },
    ...options,
    shown: { kind: 'choice', label: 'Shown to readers', options: { ...places, ...NOWHERE } },
    required: { kind: 'switch', label: 'Required', help: 'A project is not published without it.' },
  } satisfies Fields,
});

export const projectFacts = {
  kind: 'sections',
  noun: ['fact', 'facts'],
  distinct: true,
  most: 20,
  label: 'Project facts',
  help: 'Fields of your own for every project, in this order. A removed fact is hidden at once. Its values are kept as long as the trash keeps things; until then History, or a fact of the same name and kind, brings them back. Facts are public: not for secrets.',
  kinds: {
    text: kindOf('Text', PLACES),
    number: kindOf('Number', PLACES),
    link: kindOf('Link', PLACES),
    choice: kindOf('Choice', CHOICE_PLACES, {
      options: {
        ...{ kind: 'lines', rows: 4, limit: 60, most: 20, noun: 'choices', label: 'Choices' },
        help: 'One to a line. A project keeps the choice it has when you rename or remove it here.',
      },
    }),
    date: kindOf('Date', PLACES),
  },
} satisfies FieldSpec;

/** The facts that a project has and that are shown in one of these places, in order. */
export const shownFacts = (defined: readonly ProjectFact[], values: FactValues | null, where: readonly Shown[]) =>
  defined.flatMap((fact) => {
    const value = values?.[fact.id];
    return value == null || !where.includes(fact.shown) ? [] : { fact, value };
  });

export const ON_PAGE = ['page', 'card', 'filter', 'everywhere'] as const;
export const ON_CARD = ['card', 'everywhere'] as const;

/** The facts by which the list of experiments is filtered. */
export const filtersIn = (defined: readonly ProjectFact[]) =>
  defined.filter(({ shown }) => shown === 'filter' || shown === 'everywhere');

/** In words, `Industry: Fashion`; null for a value that is no choice of a filter. @param fact `industry:Fashion` */
export function filterOf(defined: readonly ProjectFact[], fact: string): string | null {
  const found = filtersIn(defined).flatMap(({ id, name, options = [] }) =>
    options.flatMap((value) => (fact === `${id}:${value}` ? `${name}: ${value}` : [])),
  );
  return found[0] ?? null;
}
