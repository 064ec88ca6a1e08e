import { errors } from './errors.ts';

/** What the answer is written as. */
export type MediaType =
  | { kind: 'array' | 'object'; stripNulls: boolean; contentType: string }
  | { kind: 'csv'; contentType: string }
  | { kind: 'plan'; format: 'json' | 'text'; options: string[]; of: 'array' | 'object'; contentType: string };

const JSON_TYPE = 'application/json; charset=utf-8';
const PLAN_OPTIONS = new Set(['analyze', 'verbose', 'settings', 'buffers', 'wal']);

/**
 * Chooses from `Accept`, best wish first.
 * @param plansAllowed execution plans show what rows the caller may not see
 * @throws RestError 406 PGRST107
 */
export function mediaTypeOf(accept: string | null, plansAllowed: boolean): MediaType {
  if (!accept) return { kind: 'array', stripNulls: false, contentType: JSON_TYPE };
  for (const wish of wishes(accept)) {
    const found = offered(wish, plansAllowed);
    if (found) return found;
  }
  throw errors.mediaType(accept.slice(0, 200));
}

interface Wish {
  type: string;
  parameters: ReadonlyMap<string, string>;
}

function wishes(accept: string): Wish[] {
  const found = accept
    .slice(0, 2000)
    .split(',')
    .map((text) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim());
      const parameters = new Map(
        rest.map((part) => {
          const equals = part.indexOf('=');
          return [part.slice(0, equals).toLowerCase(), part.slice(equals + 1).replace(/^"|"$/g, '')] as const;
        }),
      );
      return { type: type.toLowerCase(), parameters, quality: Number(parameters.get('q') ?? 1) };
    });
  return found.sort((a, b) => b.quality - a.quality);
}

function offered({ type, parameters }: Wish, plansAllowed: boolean): MediaType | null {
  const stripNulls = parameters.get('nulls') === 'stripped';
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return { kind: 'array', stripNulls: false, contentType: JSON_TYPE };
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { kind: 'array', stripNulls, contentType: vendorType('array', stripNulls) };
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { kind: 'object', stripNulls, contentType: vendorType('object', stripNulls) };
    case 'text/csv':
      return { kind: 'csv', contentType: 'text/csv; charset=utf-8' };
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json': {
      if (!plansAllowed) return null;
      const format = type.endsWith('+json') ? 'json' : 'text';
      const options = (parameters.get('options') ?? '').split('|').filter((option) => PLAN_OPTIONS.has(option));
      const of = parameters.get('for')?.includes('object') ? 'object' : 'array';
      return { kind: 'plan', format, options, of, contentType: `application/vnd.pgrst.plan+${format}; charset=utf-8` };
    }
  }
  return null;
}

const vendorType = (shape: 'array' | 'object', stripNulls: boolean) =>
  shape === 'array' && !stripNulls
    ? JSON_TYPE
    : `application/vnd.pgrst.${shape}+json${stripNulls ? ';nulls=stripped' : ''}; charset=utf-8`;
