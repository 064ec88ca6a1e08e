import type { Role } from '../../http/caller.ts';
import type { ExposedSchema, Routine } from '../catalog/catalog.ts';
import { BODY_TYPES, type BodyKind, isOneValue, takesBody } from '../catalog/routines.ts';
import { errors } from '../errors.ts';
import { MIN_HINT_SIMILARITY, MIN_NAME_SIMILARITY, nearest } from './nearest.ts';

/** @param body kind of the posted body; null for GET @throws RestError 404 PGRST202 for none, 300 PGRST203 for several */
export function chooseRoutine(
  schema: ExposedSchema,
  name: string,
  argumentNames: readonly string[],
  body: BodyKind | null,
  role: Role,
): Routine {
  const overloads = schema.routines.get(name) ?? [];
  const byName = overloads.filter((routine) => accepts(routine, argumentNames, body));
  const fitting = byName.length || !body ? byName : overloads.filter((each) => takesBody(each, BODY_TYPES[body]));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) throw errors.ambiguousFunction(fitting.map(signature));
  const suggestion = suggestRoutine(schema, name, argumentNames, role);
  throw errors.noFunction(`${schema.name}.${name}`, [...argumentNames].sort(), body, suggestion);
}

function accepts({ parameters }: Routine, argumentNames: readonly string[], body: BodyKind | null): boolean {
  if (parameters.length === 0 && isOneValue(body)) return false;
  const names = new Set(parameters.map(({ name }) => name));
  return (
    argumentNames.every((name) => names.has(name)) &&
    parameters.every(({ name, required }) => !required || argumentNames.includes(name))
  );
}

const signature = ({ schema, name, parameters }: Routine) =>
  `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.column.displayType}`).join(', ')})`;

/** Suggests only functions that this role may call. */
function suggestRoutine(schema: ExposedSchema, name: string, argumentNames: readonly string[], role: Role) {
  const isCallable = ({ roles }: Routine) => roles.has(role);
  const listed = (names: readonly string[]) => `(${names.toSorted().join(', ')})`;
  const overloads = schema.routines.get(name);
  if (overloads) {
    const lists = overloads.filter(isCallable).map((one) => listed(one.parameters.map((parameter) => parameter.name)));
    const suggestion = nearest(listed(argumentNames), lists, MIN_HINT_SIMILARITY);
    return suggestion === null ? null : `${schema.name}.${name}${suggestion}`;
  }
  const names = [...schema.routines].flatMap(([key, candidates]) => (candidates.some(isCallable) ? key : []));
  const suggestion = nearest(name, names, MIN_NAME_SIMILARITY);
  return suggestion === null ? null : `${schema.name}.${suggestion}`;
}
