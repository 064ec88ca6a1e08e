import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Scope } from './request.ts';

/** Applies `Range: 0-9` of GET requests; any other value is ignored. */
export function applyRange({ method, range }: Exchange, root: Scope): void {
  if (method !== 'GET' || range === null) return;
  const match = /^(\d{1,9})-(\d{0,9})$/.exec(range.trim());
  if (!match) return;
  const first = Number(match[1]);
  const last = match[2] === '' ? null : Number(match[2]);
  if (last !== null && last < first) {
    throw errors.range('The lower boundary must be lower than or equal to the upper boundary in the Range header.');
  }
  const { offset, limit } = root;
  root.offset = Math.max(offset, first);
  const ends = [limit === null ? null : offset + limit, last === null ? null : last + 1].filter((end) => end !== null);
  root.limit = ends.length ? Math.max(0, Math.min(...ends) - root.offset) : null;
}
