import type { Context } from 'hono';
import { errors } from '../errors.ts';
import type { Env } from '../identity.ts';
import { listUsers, showUser } from '../user.ts';

const MAX_PER_PAGE = 1000;

/** `GET /admin/users?page=&per_page=&filter=` */
export async function adminListUsers(c: Context<Env>) {
  const page = positive(c.req.query('page'), 1);
  const perPage = Math.min(positive(c.req.query('per_page'), 50), MAX_PER_PAGE);
  const filter = (c.req.query('filter') ?? '').slice(0, 255);
  const { users, total } = await listUsers(c.var.identity.db, { limit: perPage, offset: (page - 1) * perPage, filter });
  const last = Math.max(1, Math.ceil(total / perPage));
  // The official client reads the number between the first "=" and the first "&", so `page` has to come first.
  const link = (to: number, rel: string) =>
    `<${c.var.identity.issuer}/admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  return c.json({ users: users.map(showUser), aud: 'authenticated' }, 200, {
    'x-total-count': String(total),
    link: [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '),
  });
}

function positive(text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) throw errors.invalid('Bad pagination parameters');
  return value;
}
