import { expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { bearer, newEmail, openAuthServer, PASSWORD, signedIn, WIDE } from './auth-server.ts';

// Fields of the lines; tests/contract/audit has every kind of line.
const server = forAllTests(() => openAuthServer(WIDE, { engine: engines[0] }));
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
let visitors = 0;

/** A caller with its own address, which identifies the log lines. */
function visitor() {
  const address = `198.51.100.${++visitors}`;
  const from = { 'x-test-address': address };
  return {
    client: server.client(from),
    from,
    call: (path: string, { headers, ...init }: RequestInit & { json?: unknown } = {}) =>
      server.call(path, { ...init, headers: { ...(headers as object), ...from } }),
    /** Waits for a number of lines, because some are recorded after the response. */
    async lines(expected: number) {
      const entries = 'select payload from auth.audit_log_entries where ip_address = $1 order by created_at, id';
      const read = async () =>
        (await server.rows<{ payload: Record<string, unknown> }>(entries, address)).map(({ payload }) => payload);
      await expect.poll(read).toHaveLength(expected);
      return read();
    },
  };
}

it('an audit line has outcome, reason, user, session and request', async () => {
  const { client, lines } = visitor();
  const { email, id } = await signedIn(server);
  await client.signInWithPassword({ email, password: 'a guess' });
  await client.signInWithPassword({ email, password: PASSWORD });
  await client.signOut();
  expect(await lines(3)).toMatchObject([
    { action: 'login', outcome: 'refused', reason: 'invalid_credentials', request_id: ID },
    { action: 'login', outcome: 'success', actor_id: id, request_id: ID },
    { action: 'logout', outcome: 'success', reason: 'global', actor_id: id, session_id: ID, request_id: ID },
  ]);
});

it('audit lines name requests for objects of other users, with the kind of token', async () => {
  const { client, call, lines } = visitor();
  const { email, id } = await signedIn(server);
  const token = (await client.signInWithPassword({ email, password: PASSWORD })).data.session!.access_token;
  const headers = bearer(token);
  await call('/admin/users', { headers });
  await call(`/admin/users/${crypto.randomUUID()}`, { headers, method: 'DELETE' });
  await call('/admin/users/made-up', { headers, method: 'DELETE' });
  await call('/user', { method: 'PUT', body: '{"app_metadata":{"role":"admin"}}', headers });
  await call('/user', { headers: bearer(`${token.slice(0, -6)}AAAAAA`) });
  await call('/user', { headers: bearer(server.keys.publishable) });
  const all = (await lines(5)).slice(1);
  // Lines are recorded after the responses, so their order may differ.
  expect(all.map(({ reason, actor_id: actor }) => `${reason} by ${actor}`).sort()).toEqual([
    // A forged token identifies no user; an API key instead of a token is not recorded.
    'bad_jwt GET /auth/v1/user by null',
    `not_admin DELETE /auth/v1/admin/users/:id by ${id}`,
    `not_admin GET /auth/v1/admin/users by ${id}`,
    `not_admin PUT /auth/v1/user by ${id}`,
  ]);
});

it('an audit line names a refused removal of the last admin', async () => {
  const { call, lines } = visitor();
  const { id } = await signedIn(server);
  const sql = "insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'";
  await server.db.query(sql, [id]);
  await call(`/admin/users/${id}`, { method: 'DELETE', headers: { apikey: server.keys.secret } });
  expect(await lines(1)).toMatchObject([{ outcome: 'refused', reason: 'conflict DELETE /auth/v1/admin/users/:id' }]);
});

it('the audit log has one line for a reached limit per window', async () => {
  await using strict = await openAuthServer('[auth.rate_limit]\nsign_in_sign_ups = 3\n', { db: server.db });
  const { from: headers, lines } = visitor();
  for (let time = 0; time < 20; time++)
    await strict.call('/token?grant_type=password', { json: { email: newEmail(), password: 'a guess' }, headers });
  await strict.settled();
  const all = await lines(4);
  const limited = { reason: 'over_request_rate_limit POST /auth/v1/token' };
  expect(all.filter(({ action }) => action === 'request')).toMatchObject([limited]);
});

it('audit lines contain no passwords, tokens, codes or addresses', async () => {
  const { client } = visitor();
  const { email } = await signedIn(server);
  await client.resetPasswordForEmail(email);
  const { tokenHash } = await server.lastEmailTo(email);
  const { data } = await client.verifyOtp({ token_hash: tokenHash, type: 'recovery' });
  await server.settled();
  const rows = await server.rows<{ text: string }>('select payload::text as text from auth.audit_log_entries');
  expect(rows.length).toBeGreaterThan(10);
  const all = rows.map(({ text }) => text).join('\n');
  const { access_token, refresh_token } = data.session!;
  for (const secret of [PASSWORD, tokenHash, access_token, refresh_token]) expect(all).not.toContain(secret);
  expect(all).not.toMatch(/@|eyJ|sb_secret|\b\d{6}\b/);
});
