import type { PostgrestClient } from '@supabase/postgrest-js';
import * as z from 'zod/mini';
import { isLogo } from '#lib/brand/logo.ts';
import { rows, writeRow } from '#lib/data/rows.ts';
import { linesSchema, type TextSetting, textSchema } from '#lib/fields/text-field.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import { builtInFacts, type Facts } from './facts.ts';
import { isSetting, SETTING_NAMES, type SettingField, type SettingName, settings } from './table.ts';

/** The error of a text with more lines than its field allows. Such a text stays valid where it is already stored. */
export const tooManyLines = ({ mostLines = Number.POSITIVE_INFINITY }: TextSetting, text: string) =>
  text.split('\n').filter((line) => line.trim()).length > mostLines
    ? `Up to ${mostLines} lines: delete the others, then save`
    : null;

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const areDistinct = (entries: unknown[]) =>
  new Set(entries.map((entry) => (entry as { name: string }).name)).size === entries.length;

function schemaOf(field: SettingField): z.ZodMiniType {
  switch (field.kind) {
    case 'text':
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
    case 'day':
      return z.string().check(z.refine(isDay, 'Please choose a day'));
    case 'time':
      return z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please choose a time'));
    case 'logo':
      return z.string().check(z.refine((logo) => logo === '' || isLogo(logo), 'Please choose an SVG or a PNG'));
    case 'list':
      return z
        .array(z.object(schemasOf(field.fields)))
        .check(
          z.maxLength(field.most, `Please keep this to ${field.most}`),
          z.refine(areDistinct, `Two ${field.noun[1]} have the same name`),
        );
    case 'record': {
      const inner = schemasOf(field.fields);
      const shape: z.ZodMiniType = Array.isArray(field.fields)
        ? z.tuple(Object.values(inner) as [z.ZodMiniType])
        : z.object(inner);
      return shape.check(
        ...field.rules.map(([fits, path, message]) =>
          z.refine((value) => fits(value as never), { path: [...path], message }),
        ),
      );
    }
  }
}

const schemasOf = (fields: Record<string, SettingField> | readonly SettingField[]): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]));

const schemas = schemasOf(settings) as Record<SettingName, z.ZodMiniType>;

export const parseSetting = (name: SettingName, value: unknown) => schemas[name].safeParse(value);

function placeOf(name: SettingName, facts: Facts): [Record<string, unknown>, string] {
  const key = settings[name].fact ?? name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const target: object = key in builtInAgency ? facts.agency : facts;
  return [target as Record<string, unknown>, key];
}

export function settingIn(facts: Facts, name: SettingName): unknown {
  const [holder, key] = placeOf(name, facts);
  return holder[key];
}

export const builtIn = (name: SettingName): unknown => settingIn(builtInFacts, name);

export const exampleContacts = (facts: Facts) =>
  SETTING_NAMES.filter((name) => settings[name].example && sameSetting(name, settingIn(facts, name), builtIn(name)));

export function sameSetting(name: SettingName, one: unknown, other: unknown): boolean {
  const parse = (value: unknown) => {
    const { success, data } = parseSetting(name, value);
    return JSON.stringify(success ? data : value);
  };
  return parse(one) === parse(other);
}

/** An invalid setting falls back to its built-in value. @param rows of `site_settings` */
export function factsFrom(rows: { name: string; value: unknown }[]): Facts {
  const facts: Facts = { ...builtInFacts, agency: { ...builtInAgency } };
  for (const { name, value } of rows) {
    if (!isSetting(name)) continue;
    const { success, data } = parseSetting(name, value);
    const [holder, key] = placeOf(name, facts);
    if (success) holder[key] = data;
  }
  return facts;
}

export async function findFacts(client: PostgrestClient): Promise<Facts> {
  const data = await rows<{ name: string; value: unknown }>(client.from('site_settings').select('name,value'));
  return factsFrom(data);
}

/** Stored value, which other clients may have set to an invalid one. */
interface StoredSetting {
  value: unknown;
  changed: string;
}

export type StoredSettings = Partial<Record<SettingName, StoredSetting>>;

export async function listSettings(client: PostgrestClient): Promise<StoredSettings> {
  const data = await rows<StoredSetting & { name: string }>(
    client.from('site_settings').select('name,value,changed:updated_at'),
  );
  return Object.fromEntries(data.filter(({ name }) => isSetting(name)).map(({ name, ...stored }) => [name, stored]));
}

/** The stored value, or the built-in one when nothing valid is stored. */
export function valueInForce(name: SettingName, stored: StoredSettings): unknown {
  const parsed = stored[name] && parseSetting(name, stored[name].value);
  return parsed?.success ? parsed.data : builtIn(name);
}

/**
 * The built-in value deletes the row. @param known what the caller believes to be stored. @throws EditConflict,
 * ApiError
 */
export async function saveSetting(
  client: PostgrestClient,
  name: SettingName,
  value: unknown,
  known: StoredSetting | undefined,
): Promise<void> {
  const table = client.from('site_settings');
  const remove = sameSetting(name, value, builtIn(name));
  if (remove && !known) return;
  if (!known) await writeRow(table.insert({ name, value }).select('name'));
  else {
    const change = remove ? table.delete() : table.update({ value });
    await writeRow(change.eq('name', name).eq('updated_at', known.changed).select('name'));
  }
}
