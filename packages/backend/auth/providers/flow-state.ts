import { hash, randomBytes } from 'node:crypto';
import { databaseTime } from '../../database/clock.ts';
import { type Connection, findRow } from '../../database/database.ts';
import { decrypt, encrypt } from '../../keys/encrypt.ts';
import { type Sealing, sameSecret } from '../../keys/keys.ts';
import { errors } from '../errors.ts';
import { insertRow } from '../rows.ts';

const MAX_AGE_MINUTES = 5;

export type Challenge = { challenge: string; method: 's256' | 'plain' };

/** The PKCE parameters; null for the implicit flow. @throws ApiError 400 when one is missing or malformed */
export function readChallenge(
  parameters: Partial<Record<'code_challenge' | 'code_challenge_method', string | null>>,
): Challenge | null {
  const { code_challenge: challenge, code_challenge_method: name } = parameters;
  if (!challenge && !name) return null;
  if (!challenge || !name) throw errors.invalid('PKCE flow requires code_challenge_method and code_challenge');
  const method = name.toLowerCase();
  if (method !== 's256' && method !== 'plain') throw errors.invalid('Invalid code challenge method');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge))
    throw errors.invalid('code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9 and -._~');
  return { challenge, method };
}

export interface NewFlow {
  challenge: Challenge | null;
  provider: string;
  method: string;
  redirectTo: string;
  linkingUser?: string | null;
  providerVerifier?: string | null;
  nonce?: string | null;
}

/** @returns id of the flow, used as `state` towards a provider */
export async function startFlow(tx: Connection, flow: NewFlow): Promise<string> {
  return insertRow(tx, 'flow_state', {
    code_challenge: flow.challenge?.challenge ?? null,
    code_challenge_method: flow.challenge?.method ?? null,
    provider_type: flow.provider,
    authentication_method: flow.method,
    referrer: flow.redirectTo,
    linking_target_id: flow.linkingUser ?? null,
    provider_code_verifier: flow.providerVerifier ?? null,
    nonce: flow.nonce ?? null,
  });
}

export type Flow = NewFlow & { id: string };

/** Of concurrent callers only one gets it; null when unknown, used or expired. @param minutes maximum age */
export async function consumeFlow(tx: Connection, id: string, minutes = MAX_AGE_MINUTES): Promise<Flow | null> {
  const text = `delete from auth.flow_state where id = $1 and auth_code is null
     returning id, provider_type as provider, authentication_method as method, referrer as "redirectTo",
       linking_target_id as "linkingUser", provider_code_verifier as "providerVerifier", nonce,
       case when code_challenge <> '' then jsonb_build_object('challenge', code_challenge, 'method', code_challenge_method) end
         as challenge,
       created_at > now() - make_interval(mins => $2) as fresh`;
  const flow = await findRow<Flow & { fresh: boolean }>(tx, text, [id, minutes]);
  return flow?.fresh ? flow : null;
}

export type ProviderTokens = { accessToken: string | null; refreshToken: string | null };

export const shownTokens = ({ accessToken, refreshToken }: ProviderTokens) => ({
  ...(accessToken ? { provider_token: accessToken } : {}),
  ...(refreshToken ? { provider_refresh_token: refreshToken } : {}),
});

export async function deleteFlows(tx: Connection, userId: string): Promise<void> {
  await tx.query('delete from auth.flow_state where user_id = $1 or linking_target_id = $1', [userId]);
}

export async function issueAuthCode(
  tx: Connection,
  keys: Sealing,
  flow: Pick<NewFlow, 'challenge' | 'provider' | 'method'>,
  userId: string,
  tokens: ProviderTokens | null = null,
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await insertRow(tx, 'flow_state', {
    user_id: userId,
    auth_code: hash('sha256', code),
    code_challenge: flow.challenge!.challenge,
    code_challenge_method: flow.challenge!.method,
    provider_type: flow.provider,
    authentication_method: flow.method,
    provider_access_token: tokens?.accessToken ? encrypt(keys, tokens.accessToken) : null,
    provider_refresh_token: tokens?.refreshToken ? encrypt(keys, tokens.refreshToken) : null,
    auth_code_issued_at: new Date(databaseTime()),
  });
  return code;
}

type AuthCodeRow = Record<'user_id' | 'code_challenge' | 'code_challenge_method' | 'authentication_method', string> &
  Record<'provider_access_token' | 'provider_refresh_token', string | null> & { fresh: boolean };

/** Exchanges a code once. A wrong verifier consumes it too, so that a stolen code allows a single guess. */
export async function exchangeAuthCode(tx: Connection, keys: Sealing, code: string, verifier: string) {
  const text = `delete from auth.flow_state where auth_code = $1
     returning user_id, code_challenge, code_challenge_method, authentication_method, provider_access_token,
       provider_refresh_token, auth_code_issued_at > now() - interval '${MAX_AGE_MINUTES} minutes' as fresh`;
  const row = await findRow<AuthCodeRow>(tx, text, [hash('sha256', code)]);
  if (!row) return errors.unknownFlow();
  if (!row.fresh) return errors.expiredFlow();
  const computed = row.code_challenge_method === 's256' ? hash('sha256', verifier, 'base64url') : verifier;
  if (!sameSecret(computed, row.code_challenge)) return errors.wrongVerifier();
  return {
    userId: row.user_id,
    method: row.authentication_method,
    tokens: {
      accessToken: row.provider_access_token && decrypt(keys, row.provider_access_token),
      refreshToken: row.provider_refresh_token && decrypt(keys, row.provider_refresh_token),
    },
  };
}
