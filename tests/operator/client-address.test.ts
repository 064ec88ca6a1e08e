import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { keysIn, type RunningServer, startServerOnPostgres } from '../server.ts';

const LIMIT = 30;
/** Each guess hashes a password, and a hundred take long on a busy machine. */

const randomAddress = () => Array.from({ length: 4 }, () => randomInt(1, 255)).join('.');

const signIn = () => ({ email: `${randomInt(1e9)}@example.com`, password: 'a guess' });
/** A guessed code needs no password hash. */
const code = () => ({ type: 'signup', token_hash: String(randomInt(1e9)) });

/** Sends sequential wrong sign-ins or codes. @returns the last response */
async function guess(
  { base, dataDir }: RunningServer,
  times: number,
  headers: () => Record<string, string>,
  body: () => object = code,
) {
  const path = body === signIn ? 'token?grant_type=password' : 'verify';
  const { publishable } = keysIn(dataDir);
  let last: Response | null = null;
  for (let time = 0; time < times; time++)
    last = await fetch(`${base}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey: publishable, 'content-type': 'application/json', ...headers() },
      body: JSON.stringify(body()),
    });
  return last!;
}

/** All headers that proxies use for the client address. */
const claims = () => ({
  'x-forwarded-for': `${randomAddress()}, ${randomAddress()}`,
  'x-real-ip': randomAddress(),
  'x-client-ip': randomAddress(),
  'true-client-ip': randomAddress(),
  'cf-connecting-ip': randomAddress(),
  'fly-client-ip': randomAddress(),
  forwarded: `for=${randomAddress()}`,
  via: randomAddress(),
});

it('limits by socket address: no header allows another try (TM-42)', async () => {
  const server = await startServerOnPostgres({ SEED: 'none' });
  try {
    expect((await guess(server, LIMIT, claims, signIn)).status).toBe(400);
    const refused = await guess(server, 1, claims, signIn);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-sb-error-code')).toBe('over_request_rate_limit');
  } finally {
    await server.stop();
  }
});

it('limits behind one proxy by the address that the proxy added, not by one that the client sent (TM-42)', async () => {
  const server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' });
  const through = (address: string) => () => ({
    ...claims(),
    'x-forwarded-for': `${randomAddress()}, ${randomAddress()}, ${address}`,
  });
  try {
    expect((await guess(server, LIMIT, through('198.51.100.7'))).status).toBe(403);
    expect((await guess(server, 1, through('198.51.100.7'))).status).toBe(429);
    expect((await guess(server, 1, through('198.51.100.8'))).status).toBe(403);
    // One customer has a network of IPv6 addresses.
    const customer = () => through(`2001:db8:1:2:${randomInt(9999)}::${randomInt(9999)}`)();
    expect((await guess(server, LIMIT, customer)).status).toBe(403);
    expect((await guess(server, 1, customer)).status).toBe(429);
  } finally {
    await server.stop();
  }
});
