import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientsFor } from './browser.ts';
import { sessionKey } from './stored.ts';

const URL_OF_SERVICE = 'https://abcd.supabase.example';
const empty = { app_metadata: {}, user_metadata: {}, created_at: '' };
const user = { ...empty, id: '6f1f2c3e-0000-4000-8000-000000000001', email: 'a@example.com', aud: 'authenticated' };
const session = (expiresIn: number, token = 'first') => ({
  access_token: `header.${Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + expiresIn, sub: 'u', t: token })).toString('base64url')}.signature`,
  refresh_token: `refresh-${token}`,
  token_type: 'bearer',
  expires_in: expiresIn,
  expires_at: Math.floor(Date.now() / 1000) + expiresIn,
  user,
});

const KEY = sessionKey(URL_OF_SERVICE);
/** What auth-js keeps sessions in, when it is not in a browser. */
let store: Map<string, string>;
const keep = (kept: object) => void store.set(KEY, JSON.stringify(kept));
const kept = () => JSON.parse(store.get(KEY)!);
let stop = async () => {};
const storageOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => entries.set(key, value),
  removeItem: (key: string) => entries.delete(key),
});

beforeEach(() => {
  store = new Map();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'hidden' });
  vi.stubGlobal('location', new URL('https://madhouse.example/'));
  vi.stubGlobal('localStorage', storageOf(store));
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The network: records requests, answers with what the test says. */
function network(answer: (request: Request) => Response | Promise<Response> = () => Response.json([])) {
  const seen: Request[] = [];
  const send = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    seen.push(request);
    return answer(request);
  }) as typeof fetch;
  return { seen, send };
}

function clientsOn(answer?: Parameters<typeof network>[0]) {
  const { seen, send } = network(answer);
  const clients = clientsFor({ url: URL_OF_SERVICE, key: 'sb_publishable_x' }, send);
  stop = () => clients.auth.stopAutoRefresh();
  return { seen, send, ...clients };
}

/** What pages ask about the session, in a document of its own. */
async function page(answer: (request: Request) => Response) {
  const { seen, send } = network(answer);
  vi.resetModules();
  vi.stubGlobal('fetch', send);
  const querySelector = () => ({ content: URL_OF_SERVICE, dataset: { key: 'sb_publishable_x' } });
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'hidden', querySelector });
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', storageOf(stored));
  const { clients } = await import('./browser.ts');
  stop = () => clients().auth.stopAutoRefresh();
  return { seen, stored, auth: clients().auth, ...(await import('./current-user.ts')) };
}

const gone = () => Response.json({ code: 400, error_code: 'refresh_token_not_found', msg: 'gone' }, { status: 400 });

describe('session in the browser', () => {
  it('requests the role again after a second factor, and removes it on sign-out (PERM-06, STATE-04)', async () => {
    keep(session(3600));
    const answers: Record<string, () => Response> = {
      is_admin: () => Response.json(true),
      verify: () => Response.json(session(3600, 'raised')),
      token: gone,
    };
    const { seen, stored, auth, ownRole, signedIn, onSessionChange } = await page(({ url }) =>
      answers[new URL(url).pathname.split('/').at(-1)!]!(),
    );
    const events: string[] = [];
    onSessionChange((event) => void events.push(event));
    const questions = () => seen.filter(({ url }) => url.endsWith('/rpc/is_admin')).length;
    for (const _ of [1, 2]) expect([await ownRole(), questions()]).toEqual(['admin', 1]);

    expect((await auth.mfa.verify({ factorId: 'f', challengeId: 'c', code: '123456' })).error).toBeNull();
    expect([await ownRole(), questions()]).toEqual(['admin', 2]);
    expect(stored.size).toBe(1);

    // It runs out, and is refused for good: the user signed out everywhere.
    keep(session(-60, 'over'));
    expect([await signedIn(), await ownRole(), questions()]).toEqual([null, null, 2]);
    expect(stored.size).toBe(0);
    expect(events).toEqual(['INITIAL_SESSION', 'MFA_CHALLENGE_VERIFIED', 'SIGNED_OUT']);
  });
});

describe('role of the session', () => {
  const failed = () => Response.json({ message: 'gone' }, { status: 404 });
  it.each([
    ['editor', { is_admin: false, can_edit_content: true }],
    ['none', { is_admin: false, can_edit_content: false }],
    ['editor', { is_admin: false, user_roles: [{ roles: { name: 'editor' } }] }],
    ['admin', { user_roles: [{ roles: { name: 'editor' } }, { roles: { name: 'admin' } }] }],
    ['none', { user_roles: [{ roles: { name: 'reader' } }] }],
  ])('is %s for %j (PERM-05)', async (role, answers: Record<string, unknown>) => {
    keep(session(3600));
    const { ownRole, stored } = await page(({ url }) => {
      const name = new URL(url).pathname.split('/').at(-1)!;
      return name in answers ? Response.json(answers[name]) : failed();
    });
    expect((await ownRole()) ?? 'none').toBe(role);
    // A new role must not have to wait for the lifetime of an answer.
    expect(stored.size).toBe(role === 'admin' ? 1 : 0);
  });
});

describe('browser clients', () => {
  it('store the session under a key of the service’s host (CONST-02)', () => {
    expect(sessionKey(URL_OF_SERVICE)).toBe('sb-abcd-auth-token');
    expect(sessionKey('http://127.0.0.1:3000')).toBe('sb-127-auth-token');
  });

  it('send only the key without a session, and a legacy key as a token too', async () => {
    const { seen, send, data } = clientsOn();
    await data().from('projects').select('id');
    expect(seen[0]!.headers.get('apikey')).toBe('sb_publishable_x');
    expect(seen[0]!.headers.get('authorization')).toBeNull();
    await clientsFor({ url: URL_OF_SERVICE, key: 'eyJ.a.b' }, send).data().from('projects').select('id');
    expect(seen[1]!.headers.get('authorization')).toBe('Bearer eyJ.a.b');
  });

  it('send the session’s token with data, storage and functions, and extra headers where given', async () => {
    const own = session(3600);
    keep(own);
    const { seen, data, storage, functions } = clientsOn();
    await data({ 'x-draft-secret': 's' }).from('projects').select('id');
    await storage.from('case-studies').list();
    await functions.invoke('auto-verify', { headers: { 'x-setup-key': 'k' }, body: {} });
    const authorizations = seen.map((request) => request.headers.get('authorization'));
    expect(authorizations).toEqual(Array(3).fill(`Bearer ${own.access_token}`));
    expect(seen[0]!.headers.get('x-draft-secret')).toBe('s');
    expect(seen[2]!.headers.get('x-setup-key')).toBe('k');
  });

  it('refresh an expiring session, and retry while the server is busy (STATE-05, AUTH-33, CONST-04)', async () => {
    keep(session(30));
    let busy = 1;
    const next = session(3600, 'second');
    const { seen, data } = clientsOn((request) => {
      if (!request.url.includes('grant_type=refresh_token')) return Response.json([]);
      return busy-- > 0 ? new Response('busy', { status: 503 }) : Response.json(next);
    });
    await data().from('projects').select('id');
    expect(seen.filter(({ url }) => url.includes('refresh_token'))).toHaveLength(2);
    expect(seen.at(-1)!.headers.get('authorization')).toBe(`Bearer ${next.access_token}`);
  });

  it('wait 200 ms before the first retry and twice as long before each next one, and keep the session (AUTH-33, CONST-04)', async () => {
    vi.useFakeTimers();
    const own = session(-60);
    keep(own);
    const tries: number[] = [];
    const { auth } = clientsOn(() => {
      tries.push(Date.now());
      return new Response('busy', { status: 503 });
    });
    const asked = auth.getSession();
    await vi.advanceTimersByTimeAsync(29_000);
    const { data, error } = await asked;
    // As long as it takes until it looks again by itself.
    const waits = tries.slice(1, 8).map((at, before) => at - tries[before]!);
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12800]);
    expect([data.session, error?.name]).toEqual([null, 'AuthRetryableFetchError']);
    expect(kept()).toMatchObject({ refresh_token: own.refresh_token });
  });

  it('remove a session whose refresh is refused, and emit an event (STATE-06)', async () => {
    keep(session(-60));
    const { auth } = clientsOn(gone);
    const events: string[] = [];
    auth.onAuthStateChange((event) => events.push(event));
    expect((await auth.getSession()).data.session).toBeNull();
    expect(store.has(KEY)).toBe(false);
    await expect.poll(() => events).toContain('SIGNED_OUT');
  });

  it('reject an address with half a session (AUTH-28)', async () => {
    const { auth } = clientsOn();
    const { error } = await auth.setSession({ access_token: session(60).access_token, refresh_token: '' });
    expect(error?.name).toBe('AuthSessionMissingError');
  });

  it.each([401, 403, 404])('treat a sign-out with status %i as success (AUTH-34)', async (status) => {
    keep(session(3600));
    const { auth } = clientsOn(() => Response.json({ msg: 'gone' }, { status }));
    expect((await auth.signOut()).error).toBeNull();
    expect(store.size).toBe(0);
  });

  it('check every 30 s, and refresh with three checks or fewer left (CONST-03)', async () => {
    vi.useFakeTimers();
    keep(session(155));
    const { seen } = clientsOn(() => Response.json(session(3600, 'second')));
    await vi.advanceTimersByTimeAsync(59_900);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(seen.map(({ url }) => new URL(url).search)).toEqual(['?grant_type=refresh_token']);
  });

  it('request the implicit flow, and return to the site’s root (CONST-06, AUTH-25)', async () => {
    const { seen, auth } = clientsOn(() => Response.json({}));
    const redirectTo = 'https://madhouse.example/';
    const options = { redirectTo, skipBrowserRedirect: true };
    const { data } = await auth.signInWithOAuth({ provider: 'google', options });
    const query = `provider=google&redirect_to=${encodeURIComponent(redirectTo)}`;
    expect(data.url).toBe(`${URL_OF_SERVICE}/auth/v1/authorize?${query}`);
    await auth.signInWithOtp({ email: 'a@example.com' });
    expect(await seen[0]!.json()).toMatchObject({ code_challenge: null, code_challenge_method: null });
  });

  it.each([
    [119, false],
    [120, true],
  ])('accept a session from the address issued %i s ago, with a warning: %s (CONST-07)', async (age, warned) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { access_token, refresh_token, user } = session(3600 - age);
    const expires_at = String(Math.round(Date.now() / 1000) + 3600 - age);
    const fragment = { access_token, refresh_token, expires_in: '3600', expires_at, token_type: 'bearer' };
    vi.stubGlobal('location', new URL(`https://madhouse.example/sign-in#${new URLSearchParams(fragment)}`));
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { auth } = clientsOn(() => Response.json(user));
    expect((await auth.initialize()).error).toBeNull();
    expect(warn.mock.calls.some(([words]) => String(words).includes('issued over 120s ago'))).toBe(warned);
    expect(kept()).toMatchObject({ access_token, user: { id: user.id } });
  });

  it('cache the key set for ten minutes (CONST-05)', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig', key_ops: ['verify'] };
    const token = await new SignJWT({ sub: 'u', role: 'authenticated' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'JWT' })
      .setExpirationTime('2h')
      .sign(privateKey);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { seen, auth } = clientsOn(() => Response.json({ keys: [key] }));
    for (const [wait, fetched] of [
      [0, 1],
      [599_000, 1],
      [2_000, 2],
    ] as const) {
      vi.setSystemTime(Date.now() + wait);
      expect((await auth.getClaims(token)).data?.claims.sub).toBe('u');
      expect(seen.filter(({ url }) => url.endsWith('/.well-known/jwks.json'))).toHaveLength(fetched);
    }
  });
});
