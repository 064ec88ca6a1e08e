import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError, EditConflict } from '#lib/data/api-error.ts';
import { listSettings, type StoredSettings, sameSetting, saveSetting, valueInForce } from './settings.ts';
import type { SettingName } from './table.ts';

/** The row is unchanged, but the database denied the write. */
export const FORBIDDEN = '42501';

export class NotAllSaved extends Error {
  override readonly name = 'NotAllSaved';
  saved: readonly SettingName[] = [];
  /** Settings that were saved differently in the meantime. */
  theirs: readonly SettingName[] = [];
  latest: StoredSettings | null = null;
}

/** Saves all settings, or none if one has changed. @param known the stored values as read. @throws NotAllSaved */
export async function saveSettings(data: PostgrestClient, values: Map<SettingName, unknown>, known: StoredSettings) {
  const saved: SettingName[] = [];
  const isMet = (name: SettingName, latest: StoredSettings) =>
    latest[name]?.changed !== known[name]?.changed && !sameSetting(name, values.get(name), valueInForce(name, latest));
  const metIn = (latest: StoredSettings) =>
    [...values.keys()].filter((name) => !saved.includes(name) && isMet(name, latest));
  try {
    const latest = await listSettings(data);
    if (metIn(latest).length > 0) throw new EditConflict();
    for (const [name, value] of values) {
      await saveSetting(data, name, value, latest[name]).catch(async (error: unknown) => {
        if (!(error instanceof EditConflict)) throw error;
        const current = await listSettings(data);
        if (current[name]?.changed === latest[name]?.changed) throw new ApiError('', FORBIDDEN);
        if (!sameSetting(name, value, valueInForce(name, current))) throw error;
      });
      saved.push(name);
    }
    return await listSettings(data);
  } catch (error) {
    const latest = await listSettings(data).catch(() => null);
    const conflicting = latest && error instanceof EditConflict ? metIn(latest) : [];
    throw Object.assign(new NotAllSaved('', { cause: error }), { saved, theirs: conflicting, latest });
  }
}
