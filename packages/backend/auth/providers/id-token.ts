import { createHash, hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { Logger } from 'pino';
import { databaseTime } from '../../database/clock.ts';
import { sameSecret } from '../../keys/keys.ts';
import { errors } from '../errors.ts';
import { callProvider, isLoopback, ProviderUnreachable, providerFetch, REQUEST_SECONDS } from './call-provider.ts';
import type { OidcSettings } from './oidc.ts';

export class BadIdToken extends Error {
  override readonly name = 'BadIdToken';
}

export interface IdTokenIssuer {
  issuer: string;
  clientIds: string[];
  /** @throws BadIdToken, or ApiError 503 when the issuer’s keys cannot be fetched */
  verify(idToken: string, with_: { nonce: string | null; accessToken: string | null }): Promise<JWTPayload>;
}

/** Public-key algorithms only: with a shared secret, a verifier could also forge tokens. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const CHECKS = { algorithms: ALGORITHMS, clockTolerance: 30, requiredClaims: ['sub', 'exp', 'iat'] };
const GOOGLE = 'https://accounts.google.com';

export function idTokenIssuer(
  { name, issuer, clientIds, skipNonceCheck }: OidcSettings,
  log: Logger,
  loadMetadata: () => Promise<ServerMetadata>,
): IdTokenIssuer {
  let keys: { address: string; get: JWTVerifyGetKey } | null = null;
  return {
    issuer: issuer.href.replace(/\/$/, ''),
    clientIds,
    async verify(idToken, { nonce, accessToken }) {
      requireJwt(idToken);
      const { metadata, get } = await callProvider(log, name, async () => {
        const current = await loadMetadata();
        const address = current.jwks_uri;
        if (!address) throw new ProviderUnreachable('the issuer publishes no keys');
        if (keys?.address !== address) keys = { address, get: remoteKeys(issuer, address) };
        return { metadata: current, get: keys.get };
      });
      const claims = await verifyClaims(idToken, get, { log, name, issuer: metadata.issuer, clientIds });
      if (!skipNonceCheck) checkNonce(claims['nonce'], nonce);
      if (accessToken) checkAccessToken(claims['at_hash'], accessToken, idToken);
      return { ...claims, iss: metadata.issuer };
    },
  };
}

// Malformed tokens must not trigger a request to the issuer.
function requireJwt(idToken: string): void {
  try {
    decodeJwt(idToken);
    if (ALGORITHMS.includes(String(decodeProtectedHeader(idToken).alg))) return;
  } catch {}
  throw new BadIdToken('Bad ID token');
}

function remoteKeys(issuer: URL, address: string): JWTVerifyGetKey {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(isLoopback(issuer) && isLoopback(url)))
    throw new ProviderUnreachable('the key set address is not https');
  return createRemoteJWKSet(url, {
    timeoutDuration: REQUEST_SECONDS * 1000,
    [customFetch]: (target, options) => providerFetch(target, options as RequestInit),
  });
}

type Expected = { log: Logger; name: string; issuer: string; clientIds: string[] };

const KEYS_NOT_LOADED = ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'];

async function verifyClaims(idToken: string, get: JWTVerifyGetKey, expected: Expected): Promise<JWTPayload> {
  // Google's older tokens omit the scheme.
  const issuer = expected.issuer === GOOGLE ? [GOOGLE, 'accounts.google.com'] : expected.issuer;
  try {
    const options = { ...CHECKS, issuer, audience: expected.clientIds, currentDate: new Date(databaseTime()) };
    const { payload } = await jwtVerify(idToken, get, options);
    return payload;
  } catch (error) {
    const { code = '', claim, message } = error as { code?: string; claim?: string; message: string };
    if (error instanceof ProviderUnreachable || KEYS_NOT_LOADED.includes(code)) {
      expected.log.warn({ provider: expected.name, code, reason: message }, 'provider sign-in failed');
      throw errors.providerUnreachable(expected.name);
    }
    if (claim === 'aud') throw new BadIdToken('Unacceptable audience in id_token');
    if (claim === 'iss') throw new BadIdToken('Unacceptable issuer in id_token');
    if (code === 'ERR_JWT_EXPIRED') throw new BadIdToken('The id_token has expired');
    throw new BadIdToken(code ? `Bad ID token: ${message}` : 'Bad ID token');
  }
}

// The token contains the nonce's hash, the app sends the nonce: a stolen token alone is useless.
function checkNonce(inToken: unknown, passedNonce: string | null): void {
  const tokenNonce = typeof inToken === 'string' && inToken !== '' ? inToken : null;
  if (!tokenNonce !== !passedNonce)
    throw new BadIdToken('Passed nonce and nonce in id_token should either both exist or not.');
  if (tokenNonce && passedNonce && !sameSecret(tokenNonce, hash('sha256', passedNonce)))
    throw new BadIdToken('Nonces mismatch');
}

function checkAccessToken(hash: unknown, accessToken: string, idToken: string): void {
  if (typeof hash !== 'string') return;
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0]!, 'base64url').toString()) as { alg: string };
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  if (!sameSecret(digest.subarray(0, digest.length / 2).toString('base64url'), hash))
    throw new BadIdToken('The access_token does not belong to this id_token');
}
