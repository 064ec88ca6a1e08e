import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { listUsers, showUser } from '../users/user.ts';
import { pageHeaders, pageOf } from './paging.ts';

export async function adminListUsers(c: Context<Env>) {
  const { db, issuer } = c.var.identity;
  const page = pageOf(c);
  const filter = (c.req.query('filter') ?? '').trim().slice(0, 255);
  const { users, total } = await listUsers(db, { ...page, filter });
  return c.json(
    { users: users.map(showUser), aud: 'authenticated' },
    200,
    pageHeaders(`${issuer}/admin/users`, page, total),
  );
}
