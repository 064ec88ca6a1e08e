import type { GoTrueClient } from '@supabase/auth-js';
import { decodeJwt } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { CONFIRMING, newEmail, openAuthServer, signedIn, WIDE } from './auth-server.ts';

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

let client: GoTrueClient;
let old: string;
let target: string;

const server = forAllTests(() => openAuthServer(CONFIRMING));
beforeEach(async () => {
  old = newEmail();
  target = newEmail();
  ({ client } = await signedIn(server, { email: old }));
});

const confirmLink = async (address: string, at = server) => {
  const { tokenHash, type } = await at.lastEmailTo(address);
  expect(type).toBe('email_change');
  return at.redeem(tokenHash, 'email_change');
};
const addressOf = async () => (await client.getUser()).data.user!;

it.each([
  ['old mailbox first', true],
  ['new mailbox first', false],
])('a new address becomes valid once both mailboxes confirm: %s (AUTH-13, AUTH-07)', async (_, oldFirst) => {
  const update = await client.updateUser({ email: target }, { emailRedirectTo: `${server.site}/admin` });
  expect(update.data.user).toMatchObject({ email: old, new_email: target, email_change_sent_at: expect.any(String) });
  const [first, second] = oldFirst ? [old, target] : [target, old];
  const { tokenHash } = await server.lastEmailTo(first);
  const json = { token_hash: tokenHash, type: 'email_change' };
  expect(await server.answer('/verify', { json })).toEqual([200, { msg: HALF, code: '200' }]);
  expect(await addressOf()).toMatchObject({ email: old, new_email: target });

  const whole = await confirmLink(second);
  expect(whole.data.user).toMatchObject({ email: target });
  expect(whole.data.user!.user_metadata).not.toHaveProperty('email');
  expect(whole.data.user!.new_email).toBeUndefined();
  expect(whole.data.user!.identities).toMatchObject([{ provider: 'email', identity_data: { email: target } }]);
  expect(decodeJwt(whole.data.session!.access_token)).toMatchObject({ email: target });
  expect(await server.signInError(target)).toBeNull();
  expect(await server.signInError(old)).not.toBeNull();
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
  const pending = 'select relates_to from auth.one_time_tokens where relates_to = any ($1)';
  expect(await server.rows(pending, [old, target])).toEqual([{ relates_to: old }]);
  expect((await confirmLink(target)).error?.code).toBe('otp_expired');
  expect(await addressOf()).toMatchObject({ email: old });
  expect((await confirmLink(old)).data.user).toMatchObject({ email: target });
});

it('a new address is set once for ten concurrent confirmations of both mailboxes', async () => {
  await client.updateUser({ email: target });
  const links = [(await server.lastEmailTo(old)).tokenHash, (await server.lastEmailTo(target)).tokenHash];
  const all = await Promise.all(Array.from({ length: 10 }, (_, at) => server.redeem(links[at % 2]!, 'email_change')));
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
  expect((await server.redeem(stale.tokenHash, 'email_change')).error?.code).toBe('otp_expired');
  expect((await confirmLink(later)).data.session).toBeNull();
  expect((await confirmLink(old)).data.user).toMatchObject({ email: later });
});

it('a new address is rejected when another user has it, at the request or at the confirmation', async () => {
  const other = await signedIn(server);
  const message = 'A user with this email address has already been registered';
  const taken = { status: 422, code: 'email_exists', message };
  expect((await other.client.updateUser({ email: old })).error).toMatchObject(taken);
  await client.updateUser({ email: target });
  await confirmLink(old);
  await signedIn(server, { email: target });
  expect((await confirmLink(target)).error).toMatchObject(taken);
  expect(await addressOf()).toMatchObject({ email: old });
});

it('a new address is assigned to one of two users who confirm it concurrently', async () => {
  const rival = await signedIn(server);
  await client.updateUser({ email: target });
  const mine = await server.lastEmailTo(target);
  await confirmLink(old);
  await rival.client.updateUser({ email: target });
  const theirs = await server.lastEmailTo(target);
  await confirmLink(rival.email);
  const both = await Promise.all([mine, theirs].map(({ tokenHash }) => server.redeem(tokenHash, 'email_change')));
  expect(both.filter((one) => one.data.session)).toHaveLength(1);
  expect(both.find((one) => one.error)?.error?.code).toBe('email_exists');
});

it('a new address needs only its own mailbox when the project is configured so', async () => {
  await using single = await openAuthServer(`${CONFIRMING}double_confirm_changes = false\n`, { db: server.db });
  const person = await signedIn(single);
  await person.client.updateUser({ email: target });
  await expect(single.lastEmailTo(person.email)).rejects.toThrow('No e-mail');
  expect((await confirmLink(target, single)).data.user).toMatchObject({ email: target });

  const newest = newEmail();
  const link = { type: 'email_change_new', email: target, newEmail: newest } as const;
  const { data } = await single.service().admin.generateLink(link);
  const changed = await single.redeem(data.properties!.hashed_token, 'email_change');
  expect(changed.data.user).toMatchObject({ email: newest });
});

it('a new address applies immediately when addresses need no confirmation', async () => {
  await using open = await openAuthServer(WIDE, { db: server.db });
  const { data } = await (await signedIn(open)).client.updateUser({ email: target });
  expect(data.user).toMatchObject({ email: target });
  expect(data.user!.new_email).toBeUndefined();
});

it('a change of address can be resent with the same response whether or not one is pending (AUTH-08)', async () => {
  await client.updateUser({ email: target });
  for (const email of [old, target, newEmail()])
    expect(await server.answer('/resend', { json: { type: 'email_change', email } })).toEqual([200, {}]);
});
