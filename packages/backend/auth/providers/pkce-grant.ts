import * as z from 'zod';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { countRequest } from '../rates.ts';
import { logIn, type SignInMethod, sessionResponse } from '../sessions/session.ts';
import { findUser } from '../users/user.ts';
import { exchangeAuthCode } from './flow-state.ts';

const Body = z.object({ auth_code: optional(z.string()), code_verifier: optional(z.string()) });

const REFUSALS = {
  unknown: errors.unknownFlow,
  expired: errors.expiredFlow,
  'wrong verifier': errors.wrongVerifier,
};

export async function pkceGrant(c: AuthRequest) {
  await countRequest(c, 'refresh');
  const { auth_code: code, code_verifier: verifier } = await readBody(c, Body);
  if (!code || !verifier) throw errors.invalid('invalid request: both auth code and code verifier should be non-empty');
  const { db, keys } = c.var.identity;
  // A refusal is returned, not thrown, so that the code stays consumed.
  const outcome = await db.transaction(async (tx) => {
    const exchanged = await exchangeAuthCode(tx, keys, code, verifier);
    const user = typeof exchanged === 'string' ? null : await findUser(tx, exchanged.userId);
    const refusal =
      typeof exchanged === 'string'
        ? REFUSALS[exchanged]()
        : !user || user.deleted_at
          ? errors.unknownFlow()
          : user.is_banned
            ? errors.banned(400)
            : null;
    if (refusal || typeof exchanged === 'string') {
      const { code: reason } = refusal!;
      await record(tx, c, { action: 'code_exchanged', outcome: 'refused', actor: user?.id ?? null, reason });
      return refusal!;
    }
    const started = await logIn(tx, c, exchanged.userId, exchanged.method as SignInMethod);
    return { started, tokens: exchanged.tokens };
  });
  if (outcome instanceof ApiError) throw outcome;
  const { accessToken, refreshToken } = outcome.tokens;
  return c.json(
    await sessionResponse(c.var.identity, outcome.started, {
      ...(accessToken ? { provider_token: accessToken } : {}),
      ...(refreshToken ? { provider_refresh_token: refreshToken } : {}),
    }),
  );
}
