import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { engines, withMethods } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { bearer, newEmail, openAuthServer, PASSWORD, signedUp, WIDE } from './auth-server.ts';

// PostgreSQL runs requests concurrently, the embedded engine one after the other.
describe.each(engines)('sessions with $name', (engine) => {
  const server = forAllTests(() => openAuthServer(WIDE, { engine }));
  const refresh = (token: string) =>
    server.answer('/token?grant_type=refresh_token', { json: { refresh_token: token } });
  const tokenIn = ([, body]: [number, unknown]) => (body as { refresh_token: string }).refresh_token;
  const successorOf = async (token: string) => tokenIn(await refresh(token));
  const sessionOf = (accessToken: string) => decodeJwt(accessToken)['session_id'] as string;
  const age = "update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where session_id = $1";
  const agesOn = (sessionId: string) => server.db.query(age, [sessionId]);

  describe('refresh', () => {
    it('returns a new token and keeps session, assurance level and methods (AUTH-03, STATE-05)', async () => {
      const { client, session } = await signedUp(server);
      const { data, error } = await client.refreshSession();
      expect(error).toBeNull();
      expect(data.session!.refresh_token).not.toBe(session.refresh_token);
      const [before, after] = [session, data.session!].map(({ access_token: token }) => decodeJwt(token));
      for (const claim of ['session_id', 'aal', 'sub']) expect(after![claim]).toEqual(before![claim]);
      expect(after!['amr']).toMatchObject([{ method: 'password' }]);
    });

    it('stores no usable token', async () => {
      const { session } = await signedUp(server);
      const dump = JSON.stringify(await server.rows('select * from auth.refresh_tokens'));
      expect(dump).not.toContain(session.refresh_token);
    });

    it('returns the same successor to ten concurrent refreshes', async () => {
      const { session } = await signedUp(server);
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(session.refresh_token)));
      expect(answers.map(([status]) => status)).toEqual(Array(10).fill(200));
      expect(new Set(answers.map(tokenIn)).size).toBe(1);
      const live = 'select from auth.refresh_tokens where session_id = $1 and not revoked';
      expect(await server.rows(live, sessionOf(session.access_token))).toHaveLength(1);
    });

    it('returns the active token again to a client that lost the last response, however late', async () => {
      const { session } = await signedUp(server);
      const second = await successorOf(session.refresh_token);
      await agesOn(sessionOf(session.access_token));
      expect(await successorOf(session.refresh_token)).toBe(second);
      expect((await refresh(second))[0]).toBe(200);
    });

    it('accepts an older token for ten seconds, and returns the active one', async () => {
      const { session } = await signedUp(server);
      const third = await successorOf(await successorOf(session.refresh_token));
      expect(await successorOf(session.refresh_token)).toBe(third);
    });

    it('ends the whole session when an older token is used later', async () => {
      const { client, session, user } = await signedUp(server);
      const third = await successorOf(await successorOf(session.refresh_token));
      await agesOn(sessionOf(session.access_token));
      const refused = { error_code: 'refresh_token_already_used', msg: 'Invalid Refresh Token: Already Used' };
      expect(await refresh(session.refresh_token)).toMatchObject([400, refused]);
      expect((await refresh(third))[0]).toBe(400);
      expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError');
      const entries = `select from auth.audit_log_entries where payload->>'actor_id' = $1 and payload->>'action' = 'token_reused'`;
      expect(await server.rows(entries, user.id)).toHaveLength(1);
    });

    it.each([
      ['short', 400, 'validation_failed', 'Refresh token is not valid'],
      ['not base64url!!', 400, 'validation_failed', 'Refresh token is not valid'],
      ['abcdefghijklmnopqrstuvwx', 400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
    ])('rejects %s', async (token, status, code, msg) => {
      expect(await refresh(token)).toEqual([status, { code: status, error_code: code, msg }]);
    });

    it('rejects a banned user and an expired session at every endpoint', async () => {
      const banned = await signedUp(server);
      const ban = "update auth.users set banned_until = now() + interval '1 hour' where id = $1";
      await server.db.query(ban, [banned.id]);
      expect((await refresh(banned.session.refresh_token))[1]).toMatchObject({ error_code: 'user_banned' });
      expect((await banned.client.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' });
      const expired = await signedUp(server);
      await server.db.query('update auth.sessions set not_after = now() where user_id = $1', [expired.user.id]);
      expect((await refresh(expired.session.refresh_token))[1]).toMatchObject({ error_code: 'session_expired' });
      expect((await expired.client.getUser()).error?.name).toBe('AuthSessionMissingError');
    });
  });

  describe('sign-out', () => {
    it('ends this, all other, or all sessions immediately (AUTH-11, AUTH-22)', async () => {
      const { client, user } = await signedUp(server);
      const [second, third] = [server.client(), server.client()];
      const signIn = (one: typeof client) => one.signInWithPassword({ email: user.email!, password: PASSWORD });
      for (const one of [second, third]) await signIn(one);
      const standing = async () =>
        Promise.all([client, second, third].map(async (one) => (await one.getUser()).data.user !== null));
      expect(await standing()).toEqual([true, true, true]);
      const gone = (await second.getSession()).data.session!;
      await second.signOut({ scope: 'local' });
      expect(await standing()).toEqual([true, false, true]);
      expect((await refresh(gone.refresh_token))[0]).toBe(400);
      await client.signOut({ scope: 'others' });
      expect(await standing()).toEqual([true, false, false]);
      const bare = async () => {
        const { access_token: token } = (await client.getSession()).data.session!;
        await server.call('/logout', { method: 'POST', headers: bearer(token) });
      };
      for (const everywhere of [() => client.signOut(), bare]) {
        for (const one of [client, second, third]) await signIn(one);
        expect(await standing()).toEqual([true, true, true]);
        await everywhere();
        expect(await standing()).toEqual([false, false, false]);
      }
    });

    it('succeeds when the session is over, the token unknown or the service unreachable (AUTH-34)', async () => {
      const { client, session } = await signedUp(server);
      const twin = server.client();
      await twin.setSession(session);
      await client.signOut();
      const signOut = { method: 'POST', headers: bearer(session.access_token) };
      expect((await server.call('/logout?scope=global', signOut)).status).toBe(403);
      expect((await twin.signOut()).error).toBeNull();
      for (const status of [401, 404]) {
        const { client: other } = await signedUp(server);
        const answer = await server.call(status === 404 ? '/logout/nowhere' : '/logout', { method: 'POST' });
        expect(answer.status).toBe(status);
        (other as unknown as { fetch: typeof fetch }).fetch = async () => answer;
        expect((await other.signOut()).error).toBeNull();
      }
    });

    it('rejects an unknown scope', async () => {
      const { session } = await signedUp(server);
      const signOut = { method: 'POST', headers: bearer(session.access_token) };
      expect(await server.refusal('/logout?scope=everybody', signOut)).toEqual([400, 'validation_failed']);
    });
  });

  it('creates one account for five concurrent sign-ups of one address', async () => {
    const email = newEmail();
    const signUp = () => server.client().signUp({ email, password: PASSWORD });
    const rivals = await Promise.all(Array.from({ length: 5 }, signUp));
    const taken = { status: 422, code: 'user_already_exists', message: 'User already registered' };
    expect(rivals.flatMap(({ error }) => error ?? [])).toMatchObject(Array(4).fill(taken));
  });

  it('limits concurrent guesses', async () => {
    const json = { email: newEmail(), password: 'wrong' };
    const guesses = Array.from({ length: 30 }, () => server.call('/token?grant_type=password', { json }));
    expect((await Promise.all(guesses)).filter(({ status }) => status === 400).length).toBeLessThanOrEqual(12);
  });

  const admin = () => server.service().admin;
  const changePassword = (id: string) => admin().updateUserById(id, { password: 'another bicycle' });
  it.each([
    ['password was changed', changePassword, 'invalid_credentials'],
    ['account was banned', (id: string) => admin().updateUserById(id, { ban_duration: '24h' }), 'user_banned'],
    ['account was deleted', (id: string) => admin().deleteUser(id, true), 'invalid_credentials'],
  ] as const)('a sign-in whose %s after the password check creates no session (TM-04)', async (_, act, code) => {
    const { user } = await signedUp(server);
    // Delays the transaction of the sign-in, which starts after the password check.
    const { promise: checked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { db } = server;
    const transaction: typeof db.transaction = (work, options) => {
      arrived();
      return held.then(() => db.transaction(work, options));
    };
    await using slow = await openAuthServer(WIDE, { db: withMethods(db, { transaction }) });
    const signingIn = slow.client().signInWithPassword({ email: user.email!, password: PASSWORD });
    await checked;
    expect((await act(user.id).finally(release)).error).toBeNull();
    expect((await signingIn).error).toMatchObject({ status: 400, code });
  });
});
