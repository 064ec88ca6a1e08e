import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

/** From the variable NAME, or the file named by NAME_FILE; empty values count as unset. @throws ConfigError */
export function secretFrom(environment: Record<string, string | undefined>, name: string): string | undefined {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`];
  if (!file) return value;
  if (value) throw new ConfigError(`${name} and ${name}_FILE cannot both be set. Unset one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `${name}_FILE names ${file}, which cannot be read (${code}). Fix the path, or make the file readable for the service’s user.`,
    );
  }
}
