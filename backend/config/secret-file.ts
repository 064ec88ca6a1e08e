import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/**
 * A setting that may be a secret: `NAME` of the environment, or what stands in the file that `NAME_FILE` names, as
 * containers and systemd hand out secrets. Empty values count as not set; line breaks at the file's end do not belong to it.
 * @throws Error with one line for the operator when both are set or the file cannot be read; never with what stands in it
 */
export function secretFrom(environment: Environment, name: string): string | undefined {
  const given = environment[name] || undefined;
  const file = environment[`${name}_FILE`];
  if (!file) return given;
  if (given) throw new Error(`${name} and ${name}_FILE cannot both be set. Unset one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${name}_FILE names ${file}, which cannot be read (${code}). Fix the path, or make the file readable for the service’s user.`,
    );
  }
}
