import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { showUser } from './user.ts';

/** `GET /user`: who the token speaks for, read afresh. */
export const currentUser = (c: Context<Env>) => c.json(showUser(c.var.user));
