import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { secretFrom } from './secret-file.ts';

type Section = Record<string, unknown>;

const REASONS: Record<string, string> = {
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  ELOOP: 'is a link to itself',
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder, or its parent is not',
  EISDIR: 'is a folder, not a file',
};

export function folderFault(path: string, { code = '', message }: NodeJS.ErrnoException): Error {
  return new Error(
    `The project folder cannot be used: ${path} ${REASONS[code] ?? `cannot be read (${message.split('\n')[0]})`}. Fix it, or set SUPABASE_DIR to another folder.`,
  );
}

/** `madhouse.toml` has settings that the Supabase CLI rejects. @throws Error with one line that names the file */
export function readSettings(folder: string, environment: Record<string, string | undefined>): Section {
  const settings = readToml(join(folder, 'config.toml'));
  if (!settings) throw new Error(`SUPABASE_DIR has no config.toml: ${join(folder, 'config.toml')} does not exist.`);
  return resolveEnvironment(merge(settings, readToml(join(folder, 'madhouse.toml')) ?? {}), environment) as Section;
}

function readToml(file: string): Section | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw folderFault(file, error as NodeJS.ErrnoException);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`);
  }
}

export const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function merge(base: Section, overrides: Section): Section {
  const merged = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const previous = merged[key];
    merged[key] = isSection(previous) && isSection(value) ? merge(previous, value) : value;
  }
  return merged;
}

function resolveEnvironment(value: unknown, environment: Record<string, string | undefined>): unknown {
  if (typeof value === 'string')
    return value.replace(/^env\((\w+)\)$/, (_, name: string) => secretFrom(environment, name) ?? '');
  if (Array.isArray(value)) return value.map((inner) => resolveEnvironment(inner, environment));
  if (!isSection(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveEnvironment(inner, environment)]));
}
