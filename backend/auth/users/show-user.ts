import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { showUser } from './user.ts';

export const currentUser = (c: Context<Env>) => c.json(showUser(c.var.user));
