import type { Role } from '../../http/caller.ts';
import type { ExposedSchema, Routine } from '../catalog/catalog.ts';
import { BODY_TYPES, type BodyKind, isOneValue, takesBody } from '../catalog/routines.ts';
import { errors } from '../errors.ts';
import { ALIKE, CLOSE, nearest } from './nearest.ts';

/**
 * The empty name is an unnamed parameter.
 * @param body kind of the posted body; null for a call by GET
 * @throws RestError 404 PGRST202 for none, 300 PGRST203 for several
 */
export function chooseRoutine(
  schema: ExposedSchema,
  name: string,
  given: readonly string[],
  body: BodyKind | null,
  role: Role,
): Routine {
  const overloads = schema.routines.get(name) ?? [];
  const byName = overloads.filter((routine) => fits(routine, given, body));
  const fitting = byName.length || !body ? byName : overloads.filter((each) => takesBody(each, BODY_TYPES[body]));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) throw errors.ambiguousFunction(fitting.map(signature));
  throw errors.noFunction(
    `${schema.name}.${name}`,
    [...given].sort(),
    body,
    nearMiss(schema, name, overloads, given, role),
  );
}

function fits({ parameters }: Routine, given: readonly string[], body: BodyKind | null): boolean {
  if (parameters.length === 0 && isOneValue(body)) return false;
  const known = new Set(parameters.map(({ name }) => name));
  return (
    given.every((name) => known.has(name)) &&
    parameters.every(({ name, required }) => !required || given.includes(name))
  );
}

const signature = ({ schema, name, parameters }: Routine) =>
  `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.column.displayType}`).join(', ')})`;

/** Suggests only functions that this role may call. */
function nearMiss(
  schema: ExposedSchema,
  name: string,
  overloads: readonly Routine[],
  given: readonly string[],
  role: Role,
): string | null {
  const listed = (names: readonly string[]) => `(${names.toSorted().join(', ')})`;
  if (overloads.length) {
    const own = overloads.filter(({ roles }) => roles.has(role));
    const lists = own.map(({ parameters }) => listed(parameters.map((parameter) => parameter.name)));
    const near = nearest(listed(given), lists, ALIKE);
    return near === null ? null : `${schema.name}.${name}${near}`;
  }
  const callable = [...schema.routines.values()].filter((known) => known.some(({ roles }) => roles.has(role)));
  const near = nearest(
    name,
    callable.map(([first]) => first!.name),
    CLOSE,
  );
  return near === null ? null : `${schema.name}.${near}`;
}
