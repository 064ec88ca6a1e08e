import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FunctionsClient, type FunctionsHttpError } from '@supabase/functions-js';
import { type TOTP, URI } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { mailsIn } from '../outbox.ts';
import { openBackend, PASSWORD, SITE } from './open-backend.ts';

const ONLY_ADMINS = { success: false, error: 'Only an admin can manage users.' };
const GUEST = '00000000-0000-4000-8000-000000000001';

type Account = Awaited<ReturnType<typeof backend.account>>;

const database = forAllTests(() => postgresql.open({ migrated: true }));
const backend = forAllTests(() => openBackend({ DATABASE_URL: database.url! }));
let boss: Account;
beforeAll(async () => {
  boss = await backend.account({ role: 'admin' });
});

const client = () => backend.client();
const admin = () => backend.client(backend.secret).admin;
const withdraw = ({ id }: Pick<Account, 'id'>) => backend.data('DELETE', `user_roles?user_id=eq.${id}`);

const manage = (token: string | null, body: object) => invoke('manage-users', token, body);
const invoke = (name: string, token: string | null, body: object) =>
  new FunctionsClient(`${SITE}/functions/v1`, {
    headers: { apikey: backend.publishableKey, Authorization: `Bearer ${token ?? backend.publishableKey}` },
    customFetch: backend.sendFrom(),
  }).invoke(name, { body });
const asBoss = async (body: object) => (await manage(boss.token, body)).data;
const stateOf = async (id: string) => (await admin().getUserById(id)).data.user!;
const lines = (object: string) => backend.data('GET', `audit_log?object=eq.${object}&action=like.user.*&order=id`);
const mailTo = async (email: string) => {
  const find = async () => (await mailsIn(join(backend.dataDir, 'outbox'))).find((mail) => mail.includes(email));
  await expect.poll(find, { message: email }).toBeDefined();
  return find();
};

const ACTIONS = ['list', 'invite', 'ban', 'unban', 'confirm', 'remove_factors', 'reset_password', 'delete', 'nonsense'];

describe('user administration by other callers', () => {
  it('is refused to guests, other users, submitters, editors and former admins, changes nothing and is logged', async () => {
    const otherUser = await backend.account();
    const former = await backend.account({ role: 'admin' });
    expect((await manage(former.token, { action: 'list' })).data.success).toBe(true);
    await withdraw(former);
    const user_metadata = { role: 'admin', requested_admin: true };
    const pretender = await backend.account({ user_metadata, app_metadata: { role: 'admin', roles: ['admin'] } });
    const editor = await backend.account({ role: 'editor' });
    const submitter = await backend.account();
    await backend.data('POST', 'projects', { title: 'Mine', created_by: submitter.id });
    const target = await backend.account();
    for (const action of ACTIONS) {
      const body = { action, id: target.id, email: 'new@example.com', is_admin: true, admin: boss.id };
      for (const account of [null, otherUser, submitter, pretender, former, editor]) {
        const { data: refusal, error } = await manage(account?.token ?? null, body);
        expect([action, error, refusal]).toEqual([action, null, ONLY_ADMINS]);
      }
    }
    const user = await stateOf(target.id);
    expect(user.banned_until).toBeUndefined();
    expect((await client().signInWithPassword({ email: target.email, password: PASSWORD })).error).toBeNull();
    const recorded = await lines(target.id);
    expect(recorded).toHaveLength(ACTIONS.length * 6);
    expect(recorded.every(({ outcome, reason }) => outcome === 'refused' && reason === ONLY_ADMINS.error)).toBe(true);
    expect(new Set(recorded.map(({ actor_kind: kind }) => kind))).toEqual(new Set(['guest', 'user', 'editor']));
    expect(recorded.filter(({ actor }) => actor === otherUser.id)).toHaveLength(ACTIONS.length);

    const body = { email: target.email, check: true };
    for (const name of ['auto-verify', 'admin-setup', 'download-archive'])
      expect((await invoke(name, editor.token, body)).data, name).toMatchObject({ success: false });
    const { data: health } = await invoke('check-health', editor.token, {});
    expect(health).toMatchObject({ admin: false, checks: [{ name: 'server' }] });
  });

  it('gets 401 for a banned admin, a signed-out one, and a forged token', async () => {
    const banned = await backend.account({ role: 'admin' });
    const gone = await backend.account({ role: 'admin' });
    await admin().updateUserById(banned.id, { ban_duration: '1h' });
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${gone.token}` };
    await backend.sendFrom('192.0.2.253')(`${SITE}/auth/v1/logout`, { method: 'POST', headers });
    for (const token of [banned.token, gone.token, `${boss.token.slice(0, -8)}AAAAAAAA`]) {
      const { error } = await manage(token, { action: 'list' });
      expect((error as FunctionsHttpError).context.status).toBe(401);
    }
    await withdraw(banned);
    await withdraw(gone);
  });

  it('accepts neither the service key nor a body field as proof of an admin', async () => {
    expect((await manage(backend.secret, { action: 'list' })).data).toEqual(ONLY_ADMINS);
    const keys = { authorization: `Bearer ${boss.token}`, apikey: backend.secret, serviceKey: backend.secret };
    expect((await manage(null, { action: 'list', ...keys })).data).toEqual(ONLY_ADMINS);
  });
});

describe('user administration by an admin', () => {
  it('returns all users by page, newest first, and finds them', async () => {
    const marked = `Zz${randomUUID().slice(0, 8)}`;
    const people = [];
    for (let made = 0; made < 3; made++)
      people.push(await backend.account({ user_metadata: { name: `${marked} ${made}` } }));
    const first = await asBoss({ action: 'list', page: 1, per_page: 2, search: marked.toLowerCase() });
    expect(first).toMatchObject({ success: true, error: null, total: 3, page: 1, per_page: 2 });
    const second = await asBoss({ action: 'list', page: 2, per_page: 2, search: marked });
    const found = [...first.users, ...second.users].map(({ id }: { id: string }) => id);
    expect(found).toEqual(people.map(({ id }) => id).reverse());
    const fields = `banned_until created_at email email_confirmed_at factors id invited_at is_anonymous last_sign_in_at name
      phone phone_confirmed_at providers`;
    expect(Object.keys(first.users[0]).sort()).toEqual(fields.split(/\s+/));
    expect((await asBoss({ action: 'list', search: people[0]!.email })).users).toHaveLength(1);
    expect((await asBoss({ action: 'list', search: '%' })).total).toBe(0);
    const everybody = await asBoss({ action: 'list', page: -1, per_page: 100_000 });
    expect(everybody).toMatchObject({ page: 1, per_page: 100 });
    expect(everybody.users.map(({ id }: { id: string }) => id)).not.toContain(GUEST);
  });

  it('invites a user, and logs the admin', async () => {
    const email = `${randomUUID()}@example.com`;
    const { user, ...rest } = await asBoss({ action: 'invite', email: ` ${email.toUpperCase()}`, name: 'Ada' });
    expect(rest).toEqual({ success: true, error: null });
    expect(user).toMatchObject({ email, name: 'Ada', invited_at: expect.any(String), email_confirmed_at: null });
    expect(await mailTo(email)).toContain('type=invite');
    const line = { action: 'user.invite', outcome: 'done', actor: boss.id, actor_kind: 'admin' };
    expect(await lines(user.id)).toMatchObject([line]);
    const taken = { success: false, error: 'A user with this email address has already been registered' };
    expect(await asBoss({ action: 'invite', email: boss.email })).toEqual(taken);
    const invalid = { success: false, error: 'Please enter a valid email address' };
    expect(await asBoss({ action: 'invite', email: 'no-address' })).toEqual(invalid);
  });

  it('bans for a time or permanently, and unbans', async () => {
    const person = await backend.account();
    const banned = await asBoss({ action: 'ban', id: person.id, duration: '24h' });
    const hours = (Date.parse(banned.user.banned_until) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    const refused = await client().signInWithPassword({ email: person.email, password: PASSWORD });
    expect(refused.error?.code).toBe('user_banned');
    const forGood = await asBoss({ action: 'ban', id: person.id });
    expect(Date.parse(forGood.user.banned_until)).toBeGreaterThan(Date.now() + 50 * 365 * 86_400_000);
    expect((await asBoss({ action: 'unban', id: person.id })).user.banned_until).toBeNull();
    expect((await client().signInWithPassword({ email: person.email, password: PASSWORD })).error).toBeNull();
    for (const duration of ['soon', '-1h', '1h1h', '24', 24, {}, "1h'; drop table auth.users"])
      expect((await asBoss({ action: 'ban', id: person.id, duration })).success).toBe(false);
    expect((await stateOf(person.id)).banned_until).toBeUndefined();
  });

  it('confirms an address without an e-mail', async () => {
    const waiting = await backend.account({ email_confirm: false });
    expect(waiting.token).toBe('');
    const { user } = await asBoss({ action: 'confirm', id: waiting.id });
    expect(user.email_confirmed_at).toEqual(expect.any(String));
    expect((await client().signInWithPassword({ email: waiting.email, password: PASSWORD })).error).toBeNull();
  });

  it('removes second factors of a user who lost the device', async () => {
    const person = client();
    const { email, id } = await backend.account();
    await person.signInWithPassword({ email, password: PASSWORD });
    expect((await person.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error).toBeNull();
    expect((await stateOf(id)).factors).toHaveLength(1);
    expect(await asBoss({ action: 'remove_factors', id })).toEqual({ success: true, error: null, removed: 1 });
    expect((await stateOf(id)).factors).toBeUndefined();
  });

  it('does not remove the admin’s own second factors with a password alone (TM-06)', async () => {
    const own = client();
    const { email, id } = await backend.account({ role: 'admin' });
    await own.signInWithPassword({ email, password: PASSWORD });
    const { data: app } = await own.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    const code = (URI.parse(app?.type === 'totp' ? app.totp.uri : '') as TOTP).generate();
    expect((await own.mfa.challengeAndVerify({ factorId: app!.id, code })).error).toBeNull();
    const byPassword = (await client().signInWithPassword({ email, password: PASSWORD })).data.session!.access_token;
    const byBoth = (await own.getSession()).data.session!.access_token;
    expect((await manage(byPassword, { action: 'list' })).data).toEqual(ONLY_ADMINS);
    expect((await manage(byBoth, { action: 'list' })).data.success).toBe(true);
    for (const self of [id, id.toUpperCase()]) {
      expect((await manage(byPassword, { action: 'remove_factors', id: self })).data).toEqual(ONLY_ADMINS);
      const error = 'You can remove your own second factors at /account.';
      expect((await manage(byBoth, { action: 'remove_factors', id: self })).data).toEqual({ success: false, error });
    }
    expect((await stateOf(id)).factors).toMatchObject([{ id: app!.id, status: 'verified' }]);
    expect((await lines(id)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('refused'));
    await withdraw({ id });
  });

  it('sends an e-mail with a link to set a new password', async () => {
    const { email, id } = await backend.account();
    expect(await asBoss({ action: 'reset_password', id })).toEqual({ success: true, error: null });
    expect(await mailTo(email)).toMatch(/type=recovery&next=%2Freset-password/);
    // The pause per mailbox applies to every caller.
    const again = await asBoss({ action: 'reset_password', id });
    expect(again.error).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
  });

  it('deletes a user: no data is left, and sign-in fails', async () => {
    const { email, id } = await backend.account({ user_metadata: { name: 'Ada' } });
    expect(await asBoss({ action: 'delete', id })).toEqual({ success: true, error: null });
    expect((await client().signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials');
    expect((await asBoss({ action: 'list', search: email })).total).toBe(0);
    expect(await asBoss({ action: 'delete', id })).toEqual({ success: false, error: 'User not found' });
    const done = { action: 'user.delete', outcome: 'done', actor: boss.id };
    const refused = { action: 'user.delete', outcome: 'refused', actor: boss.id, reason: 'User not found' };
    expect(await lines(id)).toMatchObject([done, refused]);
  });

  it('cannot lock out the caller, the last admin or the guest account', async () => {
    expect((await asBoss({ action: 'ban', id: boss.id.toUpperCase() })).error).toBe('You cannot ban yourself.');
    expect((await asBoss({ action: 'delete', id: boss.id })).error).toBe('You cannot delete yourself.');
    for (const action of ['ban', 'unban', 'confirm', 'remove_factors', 'reset_password', 'delete'])
      expect([action, (await asBoss({ action, id: GUEST })).error]).toEqual([action, 'User not found']);
    const second = await backend.account({ role: 'admin' });
    // Each would remove the other admin: one of the two must remain.
    const both = await Promise.all([
      manage(second.token, { action: 'delete', id: boss.id }),
      manage(boss.token, { action: 'ban', id: second.id }),
    ]);
    const kept = await backend.data('GET', 'user_roles');
    expect(both.filter(({ data: answer }) => answer?.success).length).toBeLessThanOrEqual(1);
    expect(kept.length).toBeGreaterThanOrEqual(1);
    if (kept.every(({ user_id: id }) => id !== boss.id)) boss = second;
    else await admin().updateUserById(second.id, { ban_duration: 'none' });
  });

  it('reports the missing field', async () => {
    expect((await asBoss({})).error).toBe('Please name an action.');
    expect((await asBoss({ action: 'constructor' })).error).toBe('Please name an action.');
    for (const id of [undefined, '', 'me', `${randomUUID()}/factors`, { id: randomUUID() }])
      expect((await asBoss({ action: 'ban', id })).error).toBe('Please name a user.');
    expect((await asBoss({ action: 'ban', id: randomUUID() })).error).toBe('User not found');
  });
});

it('limits an address to 300 calls in five minutes', async () => {
  const init = { method: 'PUT', headers: { apikey: backend.publishableKey }, body: '{}' };
  const call = () => backend.sendFrom('203.0.113.9')(`${SITE}/functions/v1/manage-users`, init);
  const answers = await Promise.all(Array.from({ length: 301 }, call));
  expect(answers.filter(({ status }) => status === 405)).toHaveLength(300);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});
