import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';

const MAX_PER_PAGE = 1000;

/** Reads `?page=&per_page=`, by default page 1 of 50 entries. @throws ApiError 400 */
export function pageOf(c: AuthRequest) {
  const page = positive(c.req.query('page'), 1);
  const perPage = Math.min(positive(c.req.query('per_page'), 50), MAX_PER_PAGE);
  return { page, perPage, offset: (page - 1) * perPage };
}

export function pageHeaders(address: string, { page, perPage }: ReturnType<typeof pageOf>, total: number) {
  const last = Math.max(1, Math.ceil(total / perPage));
  // The official client reads the number between the first "=" and the first "&": `page` must come first.
  const link = (to: number, rel: string) => `<${address}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  const next = page < last ? [link(page + 1, 'next')] : [];
  return { 'x-total-count': String(total), link: [...next, link(last, 'last')].join(', ') };
}

function positive(text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) throw errors.invalid('Bad pagination parameters');
  return value;
}
