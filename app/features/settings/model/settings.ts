import type { PostgrestClient } from '@supabase/postgrest-js';
import { rows, writeRow } from '#lib/data/rows.ts';
import { schemaOf } from '#lib/fields/check-field.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import { builtInFacts, type Facts } from './facts.ts';
import { EXAMPLES, isSetting, SETTING_NAMES, type SettingName, settings } from './table.ts';

const schemas = Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaOf(settings[name])]));

export const parseSetting = (name: SettingName, value: unknown) => schemas[name]!.safeParse(value);

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
  EXAMPLES.filter((name) => sameSetting(name, settingIn(facts, name), builtIn(name)));

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

export const findFacts = async (client: PostgrestClient): Promise<Facts> =>
  factsFrom(await rows(client.from('site_settings').select('name,value')));

/** Stored value, which other clients may have set to an invalid one. */
type StoredSetting = { value: unknown; changed: string };

type Known = StoredSetting | undefined;
export type StoredSettings = Partial<Record<SettingName, StoredSetting>>;

export async function listSettings(client: PostgrestClient): Promise<StoredSettings> {
  const all = client.from('site_settings').select('name,value,changed:updated_at');
  const data = await rows<StoredSetting & { name: string }>(all);
  return Object.fromEntries(data.filter(({ name }) => isSetting(name)).map(({ name, ...stored }) => [name, stored]));
}

/** The stored value, or the built-in one when nothing valid is stored. */
export function valueInForce(name: SettingName, stored: StoredSettings): unknown {
  const parsed = stored[name] && parseSetting(name, stored[name].value);
  return parsed?.success ? parsed.data : builtIn(name);
}

/** The built-in value deletes the row. @param known what the caller read. @throws EditConflict, ApiError */
export async function saveSetting(client: PostgrestClient, name: SettingName, value: unknown, known: Known) {
  const table = client.from('site_settings');
  const remove = sameSetting(name, value, builtIn(name));
  if (remove && !known) return;
  const change = remove ? table.delete() : table.update({ value });
  const write = known ? change.eq('name', name).eq('updated_at', known.changed) : table.insert({ name, value });
  await writeRow(write.select('name'));
}
