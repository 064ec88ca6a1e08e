import { errors } from '../errors.ts';

/** The `Prefer` header. Unknown preferences are ignored unless `handling=strict`. */
export type Preferences = { [Name in Choice]: (typeof CHOICES)[Name][number] | null } & {
  timezone: string | null;
  maxAffected: number | null;
  invalid: string[];
};

const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'representation', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const;

type Choice = keyof typeof CHOICES;

export function parsePreferences(header: string | null): Preferences {
  const unset = Object.fromEntries(Object.keys(CHOICES).map((name) => [name, null])) as Record<Choice, null>;
  const preferences: Preferences = { ...unset, timezone: null, maxAffected: null, invalid: [] };
  for (const part of header?.split(',') ?? []) {
    const text = part.trim();
    if (text && !readPreference(text, preferences)) preferences.invalid.push(text);
  }
  return preferences;
}

export function requireKnownPreferences({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length) throw errors.preferences(invalid);
}

function readPreference(text: string, preferences: Preferences): boolean {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals)).trim();
  const value = text.slice(equals + 1).trim();
  const choice = name as Choice;
  if (name === 'timezone' && isTimezone(value)) preferences.timezone ??= value;
  else if (name === 'max-affected' && /^\d{1,9}$/.test(value)) preferences.maxAffected ??= Number(value);
  else if (Object.hasOwn(CHOICES, name) && (CHOICES[choice] as readonly string[]).includes(value))
    Object.assign(preferences, { [choice]: preferences[choice] ?? value });
  else return false;
  return true;
}

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,62}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const APPLIED = [...Object.keys(CHOICES), 'timezone'] as (Choice | 'timezone')[];

export function appliedPreferences(applied: Partial<Preferences>): string | null {
  const parts = APPLIED.flatMap((name) => (applied[name] ? `${name}=${applied[name]}` : []));
  if (applied.handling === 'strict' && typeof applied.maxAffected === 'number')
    parts.push(`max-affected=${applied.maxAffected}`);
  return parts.length ? parts.join(', ') : null;
}
