import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../sessions/bearer.ts';
import { type FactorRow, findUser, type UserRow } from '../users/user.ts';

/** The person, their factors and their session, as they are while nobody else can change them. */
export interface Own {
  user: UserRow;
  session: { id: string; aal: 'aal1' | 'aal2' };
}

/**
 * Everything that changes a person's factors, or proves with them, takes turns. So a code that two requests bring at
 * the same moment is still accepted once, and two sessions that rise together do not end each other.
 * @throws ApiError 403 when user or session went away meanwhile, or the token never had a session
 */
export async function lockOwn(tx: Connection, c: Context<Env>): Promise<Own> {
  const user = await lockUser(tx, c.var.user.id);
  if (!user) throw errors.userOfTokenGone();
  const { rows } = await tx.query<Own['session']>(
    `select id, coalesce(aal, 'aal1') as aal from auth.sessions where id = $1 and user_id = $2 for update`,
    [c.var.sessionId, user.id],
  );
  if (!rows[0]) throw errors.sessionOfTokenGone();
  return { user, session: rows[0] };
}

/** A user whose factors nobody else changes until the transaction ends. */
export async function lockUser(tx: Connection, id: string): Promise<UserRow | null> {
  await tx.query('select from auth.users where id = $1 for no key update', [id]);
  return findUser(tx, id);
}

/** The factor of the address `/factors/{id}`. Somebody else's is answered like one that does not exist. */
export function factorOfPath({ factors }: UserRow, c: Context<Env>, name = 'id'): FactorRow {
  const id = c.req.param(name) ?? '';
  if (!isUuid(id)) throw errors.factorIdNotUuid();
  const factor = factors.find((candidate) => candidate.id === id.toLowerCase());
  if (!factor) throw errors.factorNotFound();
  return factor;
}

export const isVerified = ({ status }: FactorRow) => status === 'verified';
