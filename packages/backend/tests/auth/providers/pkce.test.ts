import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { openAuthServer } from '../auth-server.ts';
import { followAll, pkceClient } from './peers.ts';
import { startPeers, startUrl, verified, withProviders } from './provider-sign-in.ts';

type Client = ReturnType<typeof pkceClient>;

const peers = forAllTests(startPeers);

const exchange = (code: string, verifier: string) =>
  server.answer('/token?grant_type=pkce', { json: { auth_code: code, code_verifier: verifier } });
const OK = [200, expect.anything()];

const server = forAllTests(() => openAuthServer(withProviders(peers)));

describe('exchange of a PKCE code', () => {
  const codeOf = async (client = pkceClient(server), hint = peers.google.addAccount(verified())) => {
    const arrived = await followAll(server, await startUrl(server, 'google', hint, { client }));
    expect(arrived.hash).toBe('');
    return { client, arrived, code: arrived.searchParams.get('code')! };
  };

  /** Two codes of one user, the first of which is used. */
  async function twoCodes() {
    const hint = peers.google.addAccount(verified());
    const first = await codeOf(pkceClient(server), hint);
    await first.client.exchangeCodeForSession(first.code);
    return [first, await codeOf(pkceClient(server), hint)] as const;
  }

  async function codeFor(verifier: string, method: 's256' | 'plain') {
    const challenge = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
    const hint = peers.google.addAccount(verified());
    const pkce = { code_challenge: challenge, code_challenge_method: method };
    const query = new URLSearchParams({ provider: 'google', login_hint: hint, ...pkce });
    return (await followAll(server, `${server.url}/authorize?${query}`)).searchParams.get('code')!;
  }

  it('returns a session with the provider’s tokens to the requesting client (AUTH-04, ENT-30)', async () => {
    const { client, code } = await codeOf();
    const { data, error } = await client.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.session!.provider_token).toBeTruthy();
    expect(data.session!.provider_refresh_token).toBeTruthy();
    expect(data.user!.app_metadata).toMatchObject({ provider: 'google' });
    expect((await client.getUser()).data.user!.id).toBe(data.user!.id);
    expect((await client.refreshSession()).data.session!.provider_token).toBeUndefined();
  });

  it('stores the provider’s tokens encrypted, and only until they are fetched', async () => {
    const { client, code } = await codeOf();
    const held = JSON.stringify(await server.rows('select * from auth.flow_state'));
    const { data } = await client.exchangeCodeForSession(code);
    expect(held).not.toContain(data.session!.provider_token);
    expect(held).not.toContain(code);
    expect(JSON.stringify(await server.rows('select * from auth.flow_state'))).not.toContain(data.user!.id);
  });

  it.each(['s256', 'plain'] as const)(
    'accepts the verifier, and rejects a wrong verifier with %s, which uses the code up (AUTH-04)',
    async (method) => {
      const verifier = randomBytes(32).toString('base64url');
      expect(await exchange(await codeFor(verifier, method), verifier)).toEqual(OK);
      const code = await codeFor(verifier, method);
      const wrong = await exchange(code, randomBytes(32).toString('base64url'));
      expect(wrong).toMatchObject([400, { error_code: 'bad_code_verifier' }]);
      expect((await exchange(code, verifier))[0]).toBe(404);
    },
  );

  it('rejects a code stolen from another user’s address bar', async () => {
    const { code } = await codeOf();
    const thief = pkceClient(server);
    await startUrl(server, 'google', peers.google.addAccount(verified()), { client: thief });
    expect((await thief.exchangeCodeForSession(code)).error).toMatchObject({ code: 'bad_code_verifier' });
  });

  it('rejects unknown, used and expired codes, and empty fields (AUTH-04)', async () => {
    expect(await exchange('made-up', 'x'.repeat(43))).toMatchObject([404, { error_code: 'flow_state_not_found' }]);
    for (const json of [
      { auth_code: '', code_verifier: 'x' },
      { auth_code: 'x', code_verifier: '' },
    ])
      expect(await server.refusal('/token?grant_type=pkce', { json })).toEqual([400, 'validation_failed']);
    const verifier = randomBytes(32).toString('base64url');
    const code = await codeFor(verifier, 's256');
    expect(await exchange(code, verifier)).toEqual(OK);
    expect((await exchange(code, verifier))[0]).toBe(404);
    const old = await codeFor(verifier, 's256');
    await server.db.script(`update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'
      where auth_code is not null`);
    expect(await exchange(old, verifier)).toMatchObject([422, { error_code: 'flow_state_expired' }]);
  });

  it.each([
    ['signed out everywhere', (client: Client) => client.signOut()],
    ['chose a password', (client: Client) => client.updateUser({ password: 'tangerine bicycle' })],
  ] as const)('rejects a code issued before its user %s (TM-04)', async (_, act) => {
    const [first, second] = await twoCodes();
    expect((await act(first.client)).error).toBeNull();
    const { error } = await second.client.exchangeCodeForSession(second.code);
    expect(error).toMatchObject({ status: 404, code: 'flow_state_not_found' });
  });

  it('returns a session for a code when its user signed out on other devices only', async () => {
    const [first, second] = await twoCodes();
    await first.client.signOut({ scope: 'local' });
    expect((await second.client.exchangeCodeForSession(second.code)).error).toBeNull();
  });

  it('returns a session for one of ten concurrent uses of a code (AUTH-04)', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const code = await codeFor(verifier, 's256');
    const all = await Promise.all(Array.from({ length: 10 }, () => exchange(code, verifier)));
    expect(all.map(([status]) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
