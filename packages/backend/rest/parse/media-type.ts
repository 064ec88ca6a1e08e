import { type Accept, parseAccept } from 'hono/utils/accept';
import { ANY_MEDIA_TYPE, BYTES_TYPE, type MediaHandler, type MediaHandlers } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';

export type MediaType = RowsType | PlanType;

export type PlanType = { kind: 'plan'; format: 'json' | 'text'; options: string[]; of: RowsType; contentType: string };

type RowsType =
  | { kind: 'array' | 'object'; stripNulls: boolean; contentType: string }
  | { kind: 'csv'; contentType: string }
  | { kind: 'custom'; handler: MediaHandler; contentType: string };

const CHARSET = '; charset=utf-8';
const JSON_TYPE = `application/json${CHARSET}`;
const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'];

/** @param plansAllowed execution plans reveal rows the caller may not see @throws RestError 406 PGRST107 */
export function mediaTypeOf(accept: string | null, plansAllowed: boolean, handlers: MediaHandlers = new Map()) {
  for (const accepted of acceptedTypes(accept || ANY_MEDIA_TYPE)) {
    const types = mediaTypeFor(accepted, plansAllowed, handlers);
    if (types) return types;
  }
  throw errors.mediaType((accept ?? '').slice(0, 200));
}

export const rowsOf = (media: MediaType): RowsType => (media.kind === 'plan' ? media.of : media);

/** @throws RestError 406 PGRST107 when `Accept` names none of these types */
export function requireAccepted(accept: string | null, types: ReadonlySet<string>): void {
  if (accept && !acceptedTypes(accept).some(({ type }) => types.has(type)))
    throw errors.mediaType(accept.slice(0, 200));
}

const acceptedTypes = (accept: string) => parseAccept(accept.slice(0, 2000).toLowerCase());

/** PostgREST's own vendor types cannot be overridden. */
function customType({ type }: Accept, handlers: MediaHandlers): RowsType | null {
  if (type.startsWith('application/vnd.pgrst.')) return null;
  const anyHandler = handlers.get(ANY_MEDIA_TYPE);
  if (anyHandler) return { kind: 'custom', handler: anyHandler, contentType: BYTES_TYPE };
  const handler = handlers.get(type);
  return handler ? { kind: 'custom', handler, contentType: type } : null;
}

function mediaTypeFor(accepted: Accept, plansAllowed: boolean, handlers: MediaHandlers): MediaType | null {
  const { type, params } = accepted;
  const plan = /^application\/vnd\.pgrst\.plan(?:\+(text|json))?$/.exec(type);
  if (!plan) return customType(accepted, handlers) ?? rowsType(accepted);
  const explained = acceptedTypes(params['for'] ?? 'application/json')[0]!;
  const of = customType(explained, handlers) ?? rowsType(explained);
  if (!plansAllowed || !of) return null;
  const format = plan[1] === 'json' ? 'json' : 'text';
  const requested = (params['options'] ?? '').split('|');
  const options = PLAN_OPTIONS.filter((option) => requested.includes(option));
  const parameterTexts = [
    `for="${of.contentType.replace(CHARSET, '')}"`,
    ...(options.length ? [`options=${options.join('|')}`] : []),
  ];
  const contentType = `application/vnd.pgrst.plan+${format}; ${parameterTexts.join('; ')}${CHARSET}`;
  return { kind: 'plan', format, options, of, contentType };
}

function rowsType({ type, params }: Accept): RowsType | null {
  const stripNulls = params['nulls'] === 'stripped';
  if (type === '*/*' || type === 'application/*' || type === 'application/json')
    return { kind: 'array', stripNulls: false, contentType: JSON_TYPE };
  const shape = /^application\/vnd\.pgrst\.(array|object)(\+json)?$/.exec(type)?.[1] as 'array' | 'object' | undefined;
  if (shape) return { kind: shape, stripNulls, contentType: vendorType(shape, stripNulls) };
  return type === 'text/csv' ? { kind: 'csv', contentType: `text/csv${CHARSET}` } : null;
}

const vendorType = (shape: 'array' | 'object', stripNulls: boolean) =>
  shape === 'array' && !stripNulls
    ? JSON_TYPE
    : `application/vnd.pgrst.${shape}+json${stripNulls ? ';nulls=stripped' : ''}${CHARSET}`;
