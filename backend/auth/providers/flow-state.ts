import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Connection } from '../../database/database.ts';
import type { Keys } from '../../http/keys.ts';
import { decrypt, encrypt } from '../encrypt.ts';
import { errors } from '../errors.ts';

/** Sign-ins that are under way in somebody's browser: PKCE towards our clients, and redirects to providers and back. */

const MINUTES = 5;

/** What a client keeps the other half of. */
export interface Challenge {
  challenge: string;
  method: 's256' | 'plain';
}

/**
 * Reads the PKCE pair of a request; null when it asks for the implicit flow.
 * @throws ApiError 400 when one half is missing or malformed
 */
export function readChallenge(given: {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}): Challenge | null {
  const { code_challenge: challenge, code_challenge_method: name } = given;
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
  /** `email`, `google`, `sso/saml` … */
  provider: string;
  /** The `amr` of the session it ends in. */
  method: string;
  /** Already checked. */
  redirectTo: string;
  /** Whoever adds another way in, instead of signing in. */
  linkingUser?: string | null;
  /** PKCE verifier towards the provider. */
  providerVerifier?: string | null;
  nonce?: string | null;
}

/** @returns the id of the flow, which is the `state` towards a provider */
export async function startFlow(tx: Connection, flow: NewFlow): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into auth.flow_state (code_challenge, code_challenge_method, provider_type, authentication_method, referrer,
       linking_target_id, provider_code_verifier, nonce, created_at, updated_at)
     values ($1, $2::auth.code_challenge_method, $3, $4, $5, $6, $7, $8, now(), now()) returning id`,
    [
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.provider,
      flow.method,
      flow.redirectTo,
      flow.linkingUser ?? null,
      flow.providerVerifier ?? null,
      flow.nonce ?? null,
    ],
  );
  return rows[0]!.id;
}

export interface Flow extends NewFlow {
  id: string;
}

interface FlowRow {
  id: string;
  code_challenge: string | null;
  code_challenge_method: Challenge['method'] | null;
  provider_type: string;
  authentication_method: string;
  referrer: string;
  linking_target_id: string | null;
  provider_code_verifier: string | null;
  nonce: string | null;
}

/**
 * Takes a flow out: of several who bring the same `state`, one gets it. Null when unknown, used, or too old.
 * @param minutes how old it may be; a flow that waits for a mail to be read lives as long as the mail's link
 */
export async function takeFlow(tx: Connection, id: string, minutes = MINUTES): Promise<Flow | null> {
  const { rows } = await tx.query<FlowRow & { fresh: boolean }>(
    `delete from auth.flow_state where id = $1 and auth_code is null
     returning id, code_challenge, code_challenge_method, provider_type, authentication_method, referrer, linking_target_id,
       provider_code_verifier, nonce, created_at > now() - make_interval(mins => $2) as fresh`,
    [id, minutes],
  );
  const [row] = rows;
  if (!row?.fresh) return null;
  return {
    id: row.id,
    challenge: row.code_challenge ? { challenge: row.code_challenge, method: row.code_challenge_method! } : null,
    provider: row.provider_type,
    method: row.authentication_method,
    redirectTo: row.referrer,
    linkingUser: row.linking_target_id,
    providerVerifier: row.provider_code_verifier,
    nonce: row.nonce,
  };
}

export interface ProviderTokens {
  accessToken: string | null;
  refreshToken: string | null;
}

/** What was under way for somebody leads nowhere any more: codes for a session, and ways in they were adding. */
export async function forgetFlows(tx: Connection, userId: string): Promise<void> {
  await tx.query('delete from auth.flow_state where user_id = $1 or linking_target_id = $1', [userId]);
}

/** Makes the code that stands in `?code=` and is worth a session to whoever holds the verifier. */
export async function issueAuthCode(
  tx: Connection,
  keys: Pick<Keys, 'sealing'>,
  flow: Pick<NewFlow, 'challenge' | 'provider' | 'method'>,
  userId: string,
  tokens: ProviderTokens | null = null,
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await tx.query(
    `insert into auth.flow_state (user_id, auth_code, code_challenge, code_challenge_method, provider_type,
       authentication_method, provider_access_token, provider_refresh_token, auth_code_issued_at, created_at, updated_at)
     values ($1, $2, $3, $4::auth.code_challenge_method, $5, $6, $7, $8, now(), now(), now())`,
    [
      userId,
      hashOf(code),
      flow.challenge!.challenge,
      flow.challenge!.method,
      flow.provider,
      flow.method,
      tokens?.accessToken ? encrypt(keys, tokens.accessToken) : null,
      tokens?.refreshToken ? encrypt(keys, tokens.refreshToken) : null,
    ],
  );
  return code;
}

export interface Exchanged {
  userId: string;
  method: string;
  tokens: ProviderTokens;
}

/**
 * Exchanges a code, once. A wrong verifier uses it up too: whoever has only the code gets one try.
 * @returns an error name instead when it is not worth a session
 */
export async function exchangeAuthCode(
  tx: Connection,
  keys: Pick<Keys, 'sealing'>,
  code: string,
  verifier: string,
): Promise<Exchanged | 'unknown' | 'expired' | 'wrong verifier'> {
  const { rows } = await tx.query<{
    user_id: string;
    code_challenge: string;
    code_challenge_method: Challenge['method'];
    authentication_method: string;
    provider_access_token: string | null;
    provider_refresh_token: string | null;
    fresh: boolean;
  }>(
    `delete from auth.flow_state where auth_code = $1
     returning user_id, code_challenge, code_challenge_method, authentication_method, provider_access_token,
       provider_refresh_token, auth_code_issued_at > now() - interval '${MINUTES} minutes' as fresh`,
    [hashOf(code)],
  );
  const [row] = rows;
  if (!row) return 'unknown';
  if (!row.fresh) return 'expired';
  const answer =
    row.code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (!same(answer, row.code_challenge)) return 'wrong verifier';
  return {
    userId: row.user_id,
    method: row.authentication_method,
    tokens: {
      accessToken: row.provider_access_token && decrypt(keys, row.provider_access_token),
      refreshToken: row.provider_refresh_token && decrypt(keys, row.provider_refresh_token),
    },
  };
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
