import { MAX_SEARCH_LENGTH, pageFrom } from './page.ts';

/** A list filter in the address. An empty text means the default. */
export interface Param<Value> {
  read: (text: string) => Value;
  write: (value: Value) => string;
  /** Name of the parameter, when it differs from the field. */
  name?: string;
  /** `place`: position in the list, reset by every filter. `order`: sorting, which is no filter. */
  kind?: 'place' | 'order';
}

export interface ListParams<Question> {
  read: (address: URLSearchParams) => Question;
  /** The address of the filters, without default values. */
  write: (question: Question) => string;
  start: Partial<Question>;
  isFiltered: (question: Question) => boolean;
}

export type QuestionOf<Params> = Params extends ListParams<infer Question> ? Question : never;

export const textParam: Param<string> = { read: (text) => text.slice(0, MAX_SEARCH_LENGTH), write: (text) => text };

export const pageParam: Param<number> = {
  read: (text) => pageFrom(new URLSearchParams(text && { page: text })),
  write: (page) => (page > 1 ? String(page) : ''),
  kind: 'place',
};

export const choiceParam = <Value extends string>(values: readonly Value[]): Param<Value | null> => ({
  read: (text) => values.find((value) => value === text) ?? null,
  write: (value) => value ?? '',
});

/** @param values the first one is the default */
export const orderParam = <Value extends string>(values: readonly [Value, ...Value[]]): Param<Value> => ({
  read: (text) => values.find((value) => value === text) ?? values[0],
  write: (value) => (value === values[0] ? '' : value),
  kind: 'order',
});

type Params<Question> = { [Field in keyof Question]: Param<Question[Field]> };

export function listParams<Question extends object>(params: Params<Question>): ListParams<Question> {
  const fields = Object.keys(params) as (keyof Question & string)[];
  const nameOf = (field: keyof Question & string) => params[field].name ?? field;
  const parse = (query: URLSearchParams) =>
    Object.fromEntries(fields.map((field) => [field, params[field].read(query.get(nameOf(field)) ?? '')])) as Question;
  const serialize = (question: Question) =>
    fields.map((field) => [field, params[field].write(question[field])] as const).filter(([, text]) => text !== '');
  const places = fields.filter((field) => params[field].kind === 'place');
  return {
    read: parse,
    write: (question) => `?${new URLSearchParams(serialize(question).map(([field, text]) => [nameOf(field), text]))}`,
    start: Object.fromEntries(places.map((field) => [field, params[field].read('')])) as Partial<Question>,
    isFiltered: (question) => serialize(question).some(([field]) => !params[field].kind),
  };
}
