import type { PostgrestClient } from '@supabase/postgrest-js';
import { readableSize } from '#features/media/model/upload.ts';
import { type LegalSlug, legal } from '#features/pages/words/legal.ts';
import { logoKind } from '#lib/brand/logo.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { rupees } from '#lib/data/money.ts';
import { rows } from '#lib/data/rows.ts';
import type { FieldSpec } from '#lib/fields/field.ts';
import type { ProjectFact } from './project-facts.ts';
import { builtIn, parseSetting } from './settings.ts';
import { isSetting, type SettingName, settings } from './table.ts';

type Changed = { subject: 'setting' | 'page'; name: string };

export type SettingChange = Changed & { id: number; before: unknown; after: unknown; at: string; by: string | null };

export const CHANGES_PER_PAGE = 10;

export const HISTORY_KEY = ['settings', 'history'];
const CHANGE = 'id,subject,name,before,after,at:changed_at,by:changed_by';

/** @param name one setting or legal text; '' for all. @param olderThan id of the last loaded change */
export async function readChanges(data: PostgrestClient, name: string, olderThan: number | null) {
  let query = data.from('settings_history').select(CHANGE).order('id', { ascending: false }).limit(CHANGES_PER_PAGE);
  if (name) query = query.eq('name', name);
  if (olderThan !== null) query = query.lt('id', olderThan);
  const changes = await rows<SettingChange>(query);
  const people = await namesOf(data, [...new Set(changes.flatMap(({ by }) => by ?? []))]);
  return changes.map((change): SettingChange => ({ ...change, by: (change.by && people.get(change.by)) ?? null }));
}

async function namesOf(data: PostgrestClient, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const profiles = data.from('profiles').select('user_id,email,name').in('user_id', ids);
  const people = await rows<{ user_id: string; email: string | null; name: string | null }>(profiles);
  return new Map(people.map(({ user_id, email, name }) => [user_id, email ?? name]));
}

const isLegal = (name: string): name is LegalSlug => Object.hasOwn(legal, name);

export function changedThing({ subject, name }: Changed): string {
  if (subject === 'page') return isLegal(name) ? legal[name].title : name;
  return isSetting(name) ? settings[name].label : name;
}

export function valueInWords({ subject, name }: Changed, value: unknown): string {
  if (value === null || value === undefined) return 'the built-in value';
  if (subject === 'page') return shortText(plainText(String(value)));
  const parsed = isSetting(name) ? parseSetting(name, value) : null;
  if (isSetting(name) && parsed?.success) return settingInWords(name, parsed.data);
  return shortText(typeof value === 'string' ? value : JSON.stringify(value));
}

export const settingInWords = (name: SettingName, value: unknown) => fieldInWords(settings[name], value) || 'nothing';

function fieldInWords(field: FieldSpec, value: unknown): string {
  switch (field.kind) {
    case 'switch':
      return value ? 'on' : 'off';
    case 'logo':
      return value ? `a ${logoKind(String(value))} of ${readableSize(String(value).length)}` : '';
    case 'lines':
      return (value as string[]).join(', ');
    case 'amount':
      return `₹${rupees(value as number)}`;
    case 'list':
      return (value as { name: string }[])
        .map(({ name, ...more }) => `${name}: ${Object.values(more).filter(Boolean).join(', ')}`)
        .join('; ');
    case 'sections':
      return (value as ProjectFact[]).map(({ name, kind }) => `${name} (${kind})`).join(', ');
    case 'record':
      return Object.entries(field.fields)
        .map(([key, inner]) => {
          const text = fieldInWords(inner, (value as Record<string, unknown>)[key]);
          return inner.kind === 'record' ? text : `${inner.label}: ${text}`;
        })
        .join('; ');
    default:
      return String(value);
  }
}

const MAX_SHOWN_LENGTH = 300;
export const shortText = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).trimEnd()}…` : text;

export type EarlierValue =
  | { subject: 'setting'; name: SettingName; value: unknown }
  /** Null for the built-in text. */
  | { subject: 'page'; name: LegalSlug; body: string | null };

export function earlierValue({ subject, name, before }: SettingChange): EarlierValue | null {
  if (subject === 'page')
    return isLegal(name) ? { subject, name, body: before === null ? null : String(before) } : null;
  if (!isSetting(name)) return null;
  if (before === null) return { subject, name, value: builtIn(name) };
  const parsed = parseSetting(name, before);
  return parsed.success ? { subject, name, value: parsed.data } : null;
}
