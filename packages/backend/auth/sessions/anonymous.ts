import type { Context } from 'hono';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { countRequest } from '../rates.ts';
import { createAccount } from '../users/account.ts';
import { sessionResponse, startSession } from './session.ts';

export async function signInAnonymously(c: Context<Env>, data: Record<string, unknown>) {
  const { db, project } = c.var.identity;
  if (!project.auth.enable_anonymous_sign_ins) throw errors.anonymousDisabled();
  await countRequest(c, 'anonymous');
  const signedIn = await db.transaction(async (tx) => {
    const user = await createAccount(tx, {
      email: null,
      phone: null,
      passwordHash: null,
      userMetadata: data,
      emailConfirmed: false,
      phoneConfirmed: false,
      isAnonymous: true,
      identities: [],
    });
    const started = await startSession(tx, c, user!.id, 'anonymous');
    await record(tx, c, { action: 'user_signedup', outcome: 'success', actor: user!.id, session: started.session.id });
    return started;
  });
  return c.json(await sessionResponse(c.var.identity, signedIn));
}
