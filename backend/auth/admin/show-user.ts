import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { showUser } from '../users/user.ts';
import { userOfPath } from './find.ts';

export const adminShowUser = async (c: Context<Env>) => c.json(showUser(await userOfPath(c.var.identity.db, c)));
