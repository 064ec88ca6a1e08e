import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/**
 * Reads a secret from the variable `NAME`, or from the file named by `NAME_FILE` (containers, systemd). Empty values
 * count as unset; trailing line breaks of the file are removed.
 * @throws Error for the operator when both are set or the file is unreadable; never contains the secret
 */
export function secretFrom(environment: Environment, name: string): string | undefined {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`];
  if (!file) return value;
  if (value) throw new Error(`${name} and ${name}_FILE cannot both be set. Unset one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${name}_FILE names ${file}, which cannot be read (${code}). Fix the path, or make the file readable for the service’s user.`,
    );
  }
}
