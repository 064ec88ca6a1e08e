import type { GoTrueClient } from '@supabase/auth-js';
import { decodeJwt } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer, PASSWORD, WIDE } from './auth-server.ts';

const CONFIRMING = `${WIDE}\nenable_confirmations = true\n`;
const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

let client: GoTrueClient;
let old: string;
let target: string;

const server = forAllTests(() => openAuthServer(CONFIRMING));
beforeEach(async () => {
  old = newEmail();
  target = newEmail();
  client = await createUser(old);
});

async function createUser(email: string, at = server) {
  await at.service().admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const signedIn = at.client();
  const { error } = await signedIn.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return signedIn;
}
const confirmLink = async (address: string, at = server) => {
  const { tokenHash, type } = await at.lastEmailTo(address);
  expect(type).toBe('email_change');
  return at.client().verifyOtp({ token_hash: tokenHash, type: 'email_change' });
};
const addressOf = async (who = client) => (await who.getUser()).data.user!;

it.each([
  ['old mailbox first', true],
  ['new mailbox first', false],
])('a new address becomes valid once both mailboxes confirm: %s (AUTH-13, AUTH-07)', async (_, oldFirst) => {
  const update = await client.updateUser({ email: target }, { emailRedirectTo: `${server.site}/admin` });
  expect(update.error).toBeNull();
  expect(update.data.user).toMatchObject({ email: old, new_email: target, email_change_sent_at: expect.any(String) });
  const [first, second] = oldFirst ? [old, target] : [target, old];
  const half = await server.call('/verify', {
    json: { token_hash: (await server.lastEmailTo(first)).tokenHash, type: 'email_change' },
  });
  expect([half.status, await half.json()]).toEqual([200, { msg: HALF, code: '200' }]);
  expect(await addressOf()).toMatchObject({ email: old, new_email: target });

  const whole = await confirmLink(second);
  expect(whole.error).toBeNull();
  expect(whole.data.user).toMatchObject({ email: target });
  expect(whole.data.user!.user_metadata).not.toHaveProperty('email');
  expect(whole.data.user!.new_email).toBeUndefined();
  expect(whole.data.user!.identities).toMatchObject([{ provider: 'email', identity_data: { email: target } }]);
  expect(decodeJwt(whole.data.session!.access_token)).toMatchObject({ email: target });
  expect((await server.client().signInWithPassword({ email: target, password: PASSWORD })).error).toBeNull();
  expect((await server.client().signInWithPassword({ email: old, password: PASSWORD })).error).not.toBeNull();
});

it('a new address can be confirmed with the codes of both e-mails, each with its own address', async () => {
  await client.updateUser({ email: target });
  const codes = { [old]: (await server.lastEmailTo(old)).code, [target]: (await server.lastEmailTo(target)).code };
  const agree = (email: string, token: string) => server.client().verifyOtp({ email, token, type: 'email_change' });
  if (codes[old] !== codes[target]) expect((await agree(old, codes[target]!)).error?.code).toBe('otp_expired');
  expect((await agree(old, codes[old]!)).data.session).toBeNull();
  expect((await agree(target, codes[target]!)).data.user).toMatchObject({ email: target });
});

it('a new address is not confirmed by repeated confirmations of one mailbox', async () => {
  await client.updateUser({ email: target });
  expect(await confirmLink(target)).toMatchObject({ error: null, data: { session: null } });
  expect((await server.client().resend({ type: 'email_change', email: old })).error).toBeNull();
  await server.settled();
  // Only the unconfirmed mailbox gets another e-mail.
  const { rows } = await server.db.query('select relates_to from auth.one_time_tokens where relates_to = any ($1)', [
    [old, target],
  ]);
  expect(rows).toEqual([{ relates_to: old }]);
  expect((await confirmLink(target)).error?.code).toBe('otp_expired');
  expect(await addressOf()).toMatchObject({ email: old });
  expect((await confirmLink(old)).data.user).toMatchObject({ email: target });
});

it('a new address is set once for ten concurrent confirmations of both mailboxes', async () => {
  await client.updateUser({ email: target });
  const links = [(await server.lastEmailTo(old)).tokenHash, (await server.lastEmailTo(target)).tokenHash];
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      server.client().verifyOtp({ token_hash: links[at % 2]!, type: 'email_change' }),
    ),
  );
  expect(all.filter(({ data }) => data.session)).toHaveLength(1);
  expect(all.filter(({ error }) => error?.code === 'otp_expired')).toHaveLength(8);
  expect(await addressOf()).toMatchObject({ email: target });
});

it('a pending new address is replaced by a later request', async () => {
  await client.updateUser({ email: target });
  const stale = await server.lastEmailTo(target);
  await confirmLink(old);
  const later = newEmail();
  await client.updateUser({ email: later });
  const late = await server.client().verifyOtp({ token_hash: stale.tokenHash, type: 'email_change' });
  expect(late.error?.code).toBe('otp_expired');
  expect((await confirmLink(later)).data.session).toBeNull();
  expect((await confirmLink(old)).data.user).toMatchObject({ email: later });
});

it('a new address is rejected when another user has it, at the request or at the confirmation', async () => {
  const other = await createUser(newEmail());
  expect((await other.updateUser({ email: old })).error).toMatchObject({
    status: 422,
    code: 'email_exists',
    message: 'A user with this email address has already been registered',
  });
  await client.updateUser({ email: target });
  await confirmLink(old);
  await createUser(target);
  expect((await confirmLink(target)).error).toMatchObject({ status: 422, code: 'email_exists' });
  expect(await addressOf()).toMatchObject({ email: old });
});

it('a new address is assigned to one of two users who confirm it concurrently', async () => {
  const rival = await createUser(newEmail());
  await client.updateUser({ email: target });
  const mine = await server.lastEmailTo(target);
  await confirmLink(old);
  const { data } = await rival.getUser();
  await rival.updateUser({ email: target });
  const theirs = await server.lastEmailTo(target);
  await confirmLink(data.user!.email!);
  const both = await Promise.all(
    [mine, theirs].map(({ tokenHash }) => server.client().verifyOtp({ token_hash: tokenHash, type: 'email_change' })),
  );
  expect(both.filter((one) => one.data.session)).toHaveLength(1);
  expect(both.find((one) => one.error)?.error?.code).toBe('email_exists');
});

it('a new address needs only its own mailbox when the project is configured so', async () => {
  await using single = await openAuthServer(`${CONFIRMING}double_confirm_changes = false\n`, { db: server.db });
  const email = newEmail();
  const person = await createUser(email, single);
  await person.updateUser({ email: target });
  await expect(single.lastEmailTo(email)).rejects.toThrow('No e-mail');
  expect((await confirmLink(target, single)).data.user).toMatchObject({ email: target });

  const newest = newEmail();
  const { data } = await single
    .service()
    .admin.generateLink({ type: 'email_change_new', email: target, newEmail: newest });
  const changed = await single.client().verifyOtp({ token_hash: data.properties!.hashed_token, type: 'email_change' });
  expect(changed.data.user).toMatchObject({ email: newest });
});

it('a new address applies immediately when addresses need no confirmation', async () => {
  await using open = await openAuthServer(WIDE, { db: server.db });
  const person = await createUser(newEmail(), open);
  const { data } = await person.updateUser({ email: target });
  expect(data.user).toMatchObject({ email: target });
  expect(data.user!.new_email).toBeUndefined();
});

it('a change of address can be resent with the same response whether or not one is pending (AUTH-08)', async () => {
  await client.updateUser({ email: target });
  for (const email of [old, target, newEmail()]) {
    const response = await server.call('/resend', { json: { type: 'email_change', email } });
    expect([response.status, await response.json()]).toEqual([200, {}]);
  }
});
