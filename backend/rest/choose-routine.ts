import type { Role } from '../http/caller.ts';
import type { ExposedSchema, Routine } from './catalog.ts';
import { errors } from './errors.ts';
import { nearest } from './nearest.ts';

/**
 * The overload whose parameter names fit: all required ones given, no unknown ones.
 * @param byPost a single unnamed json parameter may take the whole body
 * @throws RestError 404 PGRST202 for none, 300 PGRST203 for several
 */
export function chooseRoutine(
  schema: ExposedSchema,
  name: string,
  given: readonly string[],
  byPost: boolean,
  role: Role,
): Routine {
  const overloads = schema.routines.get(name) ?? [];
  const byName = overloads.filter((routine) => fits(routine, given));
  const fitting = byName.length || !byPost ? byName : overloads.filter(takesWholeBody);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) throw errors.ambiguousFunction(fitting.map(signature));
  throw errors.noFunction(`${schema.name}.${name}`, [...given].sort(), byPost, nearMiss(schema, name, overloads, role));
}

function fits({ parameters }: Routine, given: readonly string[]): boolean {
  const known = new Set(parameters.map(({ name }) => name));
  return (
    given.every((name) => name !== '' && known.has(name)) &&
    parameters.every(({ name, required }) => !required || (name !== '' && given.includes(name)))
  );
}

const takesWholeBody = ({ parameters }: Routine) =>
  parameters.length === 1 && parameters[0]!.name === '' && ['json', 'jsonb'].includes(parameters[0]!.column.baseName);

const signature = ({ schema, name, parameters }: Routine) =>
  `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.column.displayType}`).join(', ')})`;

/** Suggests only what this role may call anyway. */
function nearMiss(schema: ExposedSchema, name: string, overloads: readonly Routine[], role: Role): string | null {
  const own = overloads.find(({ roles }) => roles.has(role));
  if (own)
    return `${schema.name}.${name}(${own.parameters
      .map((parameter) => parameter.name)
      .sort()
      .join(', ')})`;
  const callable = [...schema.routines.values()]
    .filter(([first]) => first?.roles.has(role))
    .map(([first]) => first!.name);
  const near = nearest(name, callable);
  return near === null ? null : `${schema.name}.${near}`;
}
