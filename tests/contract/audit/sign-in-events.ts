import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addEvent, as, expectError, newNumber, ok, refused, type World } from './event.ts';
import { type Client, newEmail, PASSWORD } from './site.ts';

const signUp = async (me: Client, email = newEmail()) => {
  const { data } = await ok(me.auth.signUp({ email, password: PASSWORD }));
  return { email, id: data.user!.id };
};
addEvent('identity.user_signedup', 'guest', '{me} signed up', async (me) => ({ me: as(me, (await signUp(me)).email) }));
addEvent('identity.user_signedup', 'guest', '{me} signed up', async (me) => {
  const email = newEmail();
  await ok(me.auth.signInWithOtp({ email }));
  return { me: as(me, email) };
});
const ADDRESS_TAKEN = refused('sign up with an address that is taken: {it}');
addEvent('identity.user_repeated_signup', 'guest', ADDRESS_TAKEN, async (me, { member }) => {
  await signUp(me, member.email);
  return { it: member.email };
});
addEvent('identity.login', 'member, admin', '{me} signed in', async (_, { site, member, admin }, role) => {
  const { email } = role === 'admin' ? admin : member;
  const me = as(site.guest(), email);
  await ok(me.auth.signInWithPassword({ email, password: PASSWORD }));
  return { me };
});
addEvent('identity.login', 'guest', refused('sign in as {it}'), async (me, { member }) => {
  await expectError(me.auth.signInWithPassword({ email: member.email, password: 'a guess' }));
  return { it: member.email };
});
addEvent('identity.login', 'guest', refused('sign in'), async (me) => {
  await expectError(me.auth.signInWithPassword({ email: newEmail(), password: 'a guess' }));
});
addEvent('identity.login', 'member', refused('sign in'), async (_, { site }) => {
  const { email } = await site.account({ ban_duration: '24h' });
  const me = as(site.guest(), email);
  await expectError(me.auth.signInWithPassword({ email, password: PASSWORD }));
  return { me };
});
addEvent('identity.logout', 'member', '{me} signed out', async (_, { site }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.signOut());
  return { me };
});
const CONFIRMATION = '{me} requested a confirmation email: {it}';
addEvent('identity.user_confirmation_requested', 'guest', CONFIRMATION, async (me, { site }) => {
  const { email } = await signUp(site.guest());
  await site.mailTo(email);
  await ok(me.auth.resend({ type: 'signup', email }));
  return { it: email };
});
addEvent('identity.user_confirmed', 'guest', '{me} confirmed their address', async (_, { site }) => {
  const me = site.guest();
  const { email } = await signUp(site.guest());
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'signup' }));
  return { me: as(me, email) };
});
addEvent('identity.verify', 'guest', refused('use a link or code that is wrong or expired'), async (me) => {
  await expectError(me.auth.verifyOtp({ token_hash: randomBytes(32).toString('hex'), type: 'signup' }));
});
addEvent('identity.user_recovery_requested', 'guest', '{me} requested a reset link: {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.resetPasswordForEmail(email));
  return { it: email };
});
addEvent('identity.user_recovery_requested', 'guest', refused('request a reset link'), async (me) => {
  await ok(me.auth.resetPasswordForEmail(newEmail()));
});
addEvent('identity.user_recovered', 'guest', '{me} used a reset link', async (me, { site }) => {
  const { email } = await site.account();
  await ok(site.guest().auth.resetPasswordForEmail(email));
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'recovery' }));
  return { me: as(me, email) };
});
addEvent('identity.user_code_requested', 'guest', '{me} requested a sign-in code: {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.signInWithOtp({ email }));
  return { it: email };
});
addEvent('identity.user_code_requested', 'guest', refused('request a sign-in code'), async (me) => {
  await me.auth.signInWithOtp({ email: newEmail(), options: { shouldCreateUser: false } });
});
addEvent('identity.invite_accepted', 'guest', '{me} accepted an invitation', async (me, { site }) => {
  const email = newEmail();
  await ok(site.service().auth.admin.inviteUserByEmail(email));
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'invite' }));
  return { me: as(me, email) };
});
addEvent(
  'identity.password_changed identity.user_reauthentication_requested identity.user_reauthenticated',
  'member',
  [
    '{me} requested a code to prove who they are',
    '{me} tried to prove who they are again and was refused',
    '{me} proved who they are again',
    '{me} changed their password',
  ],
  async (_, { site }) => {
    const { client, email } = await site.account();
    const me = await client();
    await ok(me.auth.reauthenticate());
    const { code } = await site.mailTo(email);
    const change = (nonce: string) => me.auth.updateUser({ password: 'another bicycle', nonce });
    await expectError(change(code === '000000' ? '000001' : '000000'));
    await ok(change(code));
    return { me };
  },
);
const newAddress = async ({ site }: World) => {
  const { client, email } = await site.account();
  const me = await client();
  const next = newEmail();
  await ok(me.auth.updateUser({ email: next }));
  const use = async (address: string, by: Client) =>
    by.auth.verifyOtp({ token_hash: (await site.mailTo(address)).tokenHash, type: 'email_change' });
  return { me, email, next, use };
};
addEvent('identity.email_change_requested', 'member', '{me} requested a new address', async (_, world) =>
  newAddress(world),
);
addEvent('identity.email_change_agreed', 'guest', '{me} agreed to a new address', async (me, world) => {
  const { email, use } = await newAddress(world);
  await use(email, me);
  return { me: as(me, email) };
});
addEvent('identity.email_changed', 'guest', '{me} changed their address', async (me, world) => {
  const { email, next, use } = await newAddress(world);
  await use(email, world.site.guest());
  await ok(use(next, me));
  return { me: as(me, next) };
});
const newPhone = async ({ site, sms }: World) => {
  const { client, email } = await site.account();
  const me = await client();
  const phone = `4917155${String(newNumber()).padStart(5, '0')}`;
  await ok(me.auth.updateUser({ phone: `+${phone}` }));
  await expect.poll(() => sms.received.some((message) => message.sms.phone === phone)).toBe(true);
  return { me, email, phone, code: sms.codeTo(phone) };
};
addEvent('identity.phone_change_requested', 'member', '{me} requested a new phone number', async (_, world) =>
  newPhone(world),
);
addEvent('identity.phone_changed', 'guest', '{me} changed their phone number', async (me, world) => {
  const { email, phone, code } = await newPhone(world);
  await ok(me.auth.verifyOtp({ phone: `+${phone}`, token: code, type: 'phone_change' }));
  return { me: as(me, email) };
});
addEvent('identity.token_refreshed', 'member', refused('renew a session'), async (_, { site }) => {
  const { client, id } = await site.account();
  const me = await client();
  const { data } = await me.auth.getSession();
  // A ban by the service would end the session; this update does not.
  await site.database.db.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [id]);
  await me.call('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token: data.session!.refresh_token } });
  return { me };
});
addEvent('identity.token_reused', 'member', refused('reuse a session token'), async (_, { site }) => {
  const me = await (await site.account()).client();
  const stale = (await me.auth.getSession()).data.session!.refresh_token;
  await ok(me.auth.refreshSession());
  await ok(me.auth.refreshSession());
  await me.call('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token: stale } });
  return { me };
});
addEvent('identity.code_exchanged', 'guest', refused('finish signing in'), async (me) => {
  const json = { auth_code: randomUUID(), code_verifier: 'v'.repeat(50) };
  expect((await me.call('/auth/v1/token?grant_type=pkce', { json })).ok).toBe(false);
});
const NOT_ALLOWED = refused('do something the sign-in service does not allow');
addEvent('identity.request', 'guest, member', NOT_ALLOWED, async (me) => {
  expect((await me.call('/auth/v1/admin/users')).status).toBe(403);
});

addEvent('identity.user_created', 'service', '{me} created the account {it}', async (me) => {
  const email = newEmail();
  await ok(me.auth.admin.createUser({ email, password: PASSWORD }));
  return { it: email };
});
addEvent('identity.user_invited', 'service', '{me} invited {it}', async (me) => {
  const email = newEmail();
  await ok(me.auth.admin.inviteUserByEmail(email));
  return { it: email };
});
addEvent('identity.user_modified', 'service', '{me} changed the account {it}', async (me, { site }) => {
  const { id, email } = await site.account();
  await ok(me.auth.admin.updateUserById(id, { ban_duration: '1h' }));
  return { it: email };
});
addEvent('identity.user_deleted', 'service', '{me} deleted an account', async (me, { site }) => {
  await ok(me.auth.admin.deleteUser((await site.account()).id));
});
addEvent('identity.link_generated', 'service', '{me} generated a sign-in link for {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.admin.generateLink({ type: 'magiclink', email }));
  return { it: email };
});
