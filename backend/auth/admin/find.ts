import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../sessions/bearer.ts';
import { findUser, type UserRow } from '../users/user.ts';

/** The user in `/admin/users/{id}`. @throws ApiError 404, also for the shared guest account, which must not change */
export async function userOfPath(db: Connection, c: Context<Env>): Promise<UserRow> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw errors.idNotUuid();
  const user = await findUser(db, id);
  if (!user || user.deleted_at || user.raw_app_meta_data?.['provider'] === 'none') throw errors.userNotFound();
  return user;
}
