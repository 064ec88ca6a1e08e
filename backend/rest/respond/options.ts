import type { Routine, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import type { Answer } from '../exchange.ts';

export function allowedMethods(target: Table | readonly Routine[] | undefined): Answer {
  if (!target) throw errors.path();
  const methods = Array.isArray(target) ? functionMethods(target) : tableMethods(target as Table);
  return { status: 200, body: null, headers: { allow: methods.join(',') } };
}

const functionMethods = (overloads: readonly Routine[]) =>
  overloads.every(({ volatility }) => volatility === 'volatile')
    ? ['OPTIONS', 'POST']
    : ['OPTIONS', 'GET', 'HEAD', 'POST'];

const tableMethods = ({ insertable, updatable, deletable, primaryKey }: Table) => [
  'OPTIONS',
  'GET',
  'HEAD',
  ...(insertable ? ['POST'] : []),
  ...(insertable && updatable && primaryKey.length ? ['PUT'] : []),
  ...(updatable ? ['PATCH'] : []),
  ...(deletable ? ['DELETE'] : []),
];
