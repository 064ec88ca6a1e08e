import * as z from 'zod/mini';
import type { ContentOf, PageField, PageFields, SectionsField } from './page-field.ts';
import { linesSchema, textSchema } from './text-field.ts';

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
