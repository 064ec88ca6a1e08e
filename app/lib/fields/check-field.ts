import * as z from 'zod/mini';
import { isLogo } from '../brand/logo.ts';
import type { ErrorsByPlace, FieldSpec, Fields, LinesField, TextLimits, TextSpec, Values } from './field.ts';
import { mapFields } from './field.ts';
import { linesIn } from './field-draft.ts';
import type { ContentOf } from './page-field.ts';
import { textFormats } from './text-formats.ts';

const REQUIRED = 'Please write something here';

/** The error of a text with more lines than its field allows. Such a text stays valid where it is already stored. */
export const tooManyLines = ({ mostLines = Number.POSITIVE_INFINITY }: TextSpec, text: string) =>
  linesIn(text).length > mostLines ? `Up to ${mostLines} lines: delete the others, then save` : null;

function textSchema({ limit, optional, format }: TextLimits, required = REQUIRED) {
  const [fits, otherwise] = (format && textFormats[format]) ?? [() => true, ''];
  return z.string(required).check(
    z.trim(),
    z.minLength(optional ? 0 : 1, required),
    z.maxLength(limit, `Please keep this to ${limit} characters`),
    z.refine((text) => (optional && text === '') || fits(text), otherwise),
  );
}

function linesSchema({ optional, least = 1, most, noun, ...line }: LinesField) {
  const schema = textSchema(line);
  return z.array(z.string()).check(
    z.overwrite((lines) => lines.map((text) => text.trim())),
    z.minLength(optional ? 0 : least, least > 1 ? `Please write ${least} ${noun}` : REQUIRED),
    z.maxLength(most, `Please keep this to ${most} ${noun}`),
    // At the field, which has one input for all of its lines.
    ({ value, issues }) => {
      const [wrong] = value.flatMap((text) => schema.safeParse(text).error?.issues ?? []);
      if (wrong) issues.push({ code: 'custom', input: value, message: wrong.message });
    },
  );
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const areDistinct = (entries: unknown[]) =>
  new Set(entries.map((entry) => (entry as { name: string }).name)).size === entries.length;

/** @param typed whether the value comes from a form, which must not have more lines than a text allows */
export function schemaOf(field: FieldSpec, typed = false): z.ZodMiniType {
  switch (field.kind) {
    case 'text':
      if (!typed) return textSchema(field);
      return textSchema(field).check(
        z.refine((text) => !tooManyLines(field, text), { error: ({ input }) => tooManyLines(field, String(input))! }),
      );
    case 'html':
      return textSchema(field);
    case 'lines':
      return linesSchema(field);
    case 'number':
    case 'amount':
      return z
        .number('Please enter a number')
        .check(
          z.int('Please enter a whole number'),
          z.minimum(field.least, `Please enter at least ${field.least}`),
          z.maximum(field.most, `Please enter at most ${field.most}`),
        );
    case 'switch':
      return z.boolean();
    case 'id':
      return z.string();
    case 'day':
      return z.string().check(z.refine(isDay, 'Please choose a day'));
    case 'time':
      return z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please choose a time'));
    case 'logo':
      return z.string().check(z.refine((logo) => logo === '' || isLogo(logo), 'Please choose an SVG or a PNG'));
    case 'choice':
      return z.enum(Object.keys(field.options), 'Please choose one');
    case 'picture':
      return z.object({
        path: textSchema({ limit: 500, optional: field.optional, format: 'picture' }, 'Please choose a picture'),
        alt: textSchema({ limit: 500, optional: true }),
        width: z.nullish(z.number()),
        height: z.nullish(z.number()),
      });
    case 'list': {
      const { least = 0, most, noun, distinct } = field;
      return z.array(objectOf(field.fields, typed)).check(
        z.minLength(least, `Please add at least ${least} ${noun[least === 1 ? 0 : 1]}`),
        z.maxLength(most, `Please keep this to ${most} ${noun[1]}`),
        z.refine((entries) => !distinct || areDistinct(entries), `Two ${noun[1]} have the same name`),
      );
    }
    case 'record': {
      const { fields, rules = [] } = field;
      const shape: z.ZodMiniType = field.isArray
        ? z.tuple(Object.values(fields).map((inner) => schemaOf(inner, typed)) as [z.ZodMiniType])
        : objectOf(fields, typed);
      return shape.check(
        ...rules.map(([fits, path, message]) =>
          z.refine((value) => fits(value as never), { path: [...path], message }),
        ),
      );
    }
    case 'sections': {
      const { distinct, noun = ['section', 'sections'] } = field;
      const kinds = Object.entries(field.kinds).map(([kind, { fields }]) =>
        z.extend(objectOf(fields, typed), { kind: z.literal(kind) }),
      );
      return z.array(z.discriminatedUnion('kind', kinds as [(typeof kinds)[0]])).check(
        z.maxLength(field.most, `Please keep this to ${field.most} ${noun[1]}`),
        z.refine((entries) => !distinct || areDistinct(entries), `Two ${noun[1]} have the same name`),
      );
    }
  }
}

const objectOf = (fields: Fields, typed: boolean) =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field, typed)])));

/** Checks the values of a form. @returns null in place of invalid values */
export function checkValues(fields: Fields, values: unknown): { values: Values | null; errors: ErrorsByPlace } {
  const errors: ErrorsByPlace = {};
  const { data = null, error } = objectOf(fields, true).safeParse(values);
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= message;
  return { values: data, errors };
}

/** Stored content with the built-in words for each field that is missing or invalid. Invalid sections are left out. */
export const readContent = <Content extends Fields>(fields: Content, stored: unknown): ContentOf<Content> =>
  mapFields(fields, stored, (field, value) => {
    if (field.kind === 'record') return readContent(field.fields, value);
    if (field.kind !== 'sections') {
      const { success, data } = schemaOf(field).safeParse(value);
      return success ? data : field.words;
    }
    const one = schemaOf({ ...field, most: 1 });
    const found = (Array.isArray(value) ? value : []).flatMap((section) => one.safeParse([section]).data ?? []);
    return found.slice(0, field.most);
  }) as ContentOf<Content>;
