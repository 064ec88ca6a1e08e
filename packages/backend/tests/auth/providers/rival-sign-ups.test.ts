import type { GoTrueClient } from '@supabase/auth-js';
import { beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { CONFIRMING, newEmail, PASSWORD as OWN, openAuthServer } from '../auth-server.ts';

const OTHER = 'the password of another person';

let email: string;
let otherUser: GoTrueClient;
let owner: GoTrueClient;

const server = forAllTests(() => openAuthServer(CONFIRMING));
beforeEach(() => {
  email = newEmail();
  otherUser = server.client({ 'x-test-address': '198.51.100.66' });
  owner = server.client({ 'x-test-address': '203.0.113.7' });
});

const signUp = async (client: GoTrueClient, password: string, name: string) => {
  const response = await client.signUp({ email, password, options: { data: { name } } });
  await server.settled();
  return response;
};
const confirmLink = async (client: GoTrueClient, tokenHash: string) => {
  const { data, error } = await client.verifyOtp({ token_hash: tokenHash, type: 'signup' });
  expect(error).toBeNull();
  return data;
};
const refusalOf = (password: string) => server.signInError(email, password);
const mustChoose = (session: object | null) => (session as { set_password?: boolean }).set_password === true;

it.each([
  ['', true],
  [', also when the passwords were not compared in the background', false],
])(
  'two sign-ups for one address: the owner’s own e-mail applies the owner’s password and name, and the other user has no access%s (M4)',
  async (_, isCompared) => {
    const first = await signUp(otherUser, OTHER, 'Terry');
    const select = 'select encrypted_password as hash from auth.users where email = $1';
    const [stored] = await server.rows<{ hash: string }>(select, email);
    const second = await signUp(owner, OWN, 'Owner');
    const update = 'update auth.users set encrypted_password = $2 where email = $1';
    if (!isCompared) await server.db.query(update, [email, stored!.hash]);
    expect(second.error).toBeNull();
    // Neither response reveals the other sign-up: both have the same fields.
    expect(Object.keys(second.data.user!).sort()).toEqual(Object.keys(first.data.user!).sort());
    const { user, session } = await confirmLink(owner, (await server.lastEmailTo(email)).tokenHash);
    expect(mustChoose(session)).toBe(false);
    expect(user!.user_metadata).toMatchObject({ name: 'Owner', email, email_verified: true });
    expect(user!.identities).toMatchObject([{ identity_data: { name: 'Owner', email_verified: true } }]);
    expect(await refusalOf(OTHER)).toBe('invalid_credentials');
    expect(await refusalOf(OWN)).toBeNull();
    expect(await server.rows('select name from public.profiles where email = $1', email)).toEqual([{ name: 'Owner' }]);
  },
);

it.each([
  ['another', '198.51.100.66'],
  ['the owner’s', '203.0.113.7'],
])(
  'a sign-up from %s network and a sign-in by code: a confirmation requested meanwhile applies no password (M4)',
  async (_, address) => {
    const other = server.client({ 'x-test-address': address });
    await signUp(other, OTHER, 'Terry');
    await owner.signInWithOtp({ email });
    await server.settled();
    await other.resend({ type: 'signup', email });
    const { data } = await owner.verifyOtp({ email, token: (await server.lastEmailTo(email)).code, type: 'email' });
    expect([data.user!.user_metadata['name'], mustChoose(data.session)]).toEqual([undefined, true]);
    expect(await refusalOf(OTHER)).toBe('invalid_credentials');
  },
);

it('an account that another user created by code and signed up for: the owner’s code applies nothing of theirs, from the same network either (M4)', async () => {
  const neighbour = server.client({ 'x-test-address': '203.0.113.7' });
  await neighbour.signInWithOtp({ email });
  await signUp(neighbour, OTHER, 'Terry');
  await owner.signInWithOtp({ email });
  const { data } = await owner.verifyOtp({ email, token: (await server.lastEmailTo(email)).code, type: 'email' });
  expect([data.user!.user_metadata['name'], mustChoose(data.session)]).toEqual([undefined, false]);
  expect(await refusalOf(OTHER)).toBe('invalid_credentials');
});

it('two sign-ups for one address: another user who signs up second gains nothing when the owner confirms either e-mail (M4)', async () => {
  await signUp(owner, OWN, 'Owner');
  await signUp(otherUser, OTHER, 'Terry');
  const { user, session } = await confirmLink(owner, (await server.lastEmailTo(email)).tokenHash);
  expect(mustChoose(session)).toBe(true);
  expect(user!.user_metadata).not.toHaveProperty('name');
  for (const password of [OTHER, OWN]) expect(await refusalOf(password)).toBe('invalid_credentials');
  // The owner is signed in and chooses a password.
  expect((await owner.updateUser({ password: OWN })).error).toBeNull();
  expect(await refusalOf(OWN)).toBeNull();
  expect(await refusalOf(OTHER)).toBe('invalid_credentials');
});

it('two sign-ups for one address: a code has the effect of its e-mail, also of a resent one (M4)', async () => {
  await signUp(otherUser, OTHER, 'Terry');
  await signUp(owner, OWN, 'Owner');
  await owner.resend({ type: 'signup', email });
  const { code } = await server.lastEmailTo(email);
  expect((await owner.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
  expect(await refusalOf(OWN)).toBeNull();
  expect(await refusalOf(OTHER)).toBe('invalid_credentials');
});

it('two sign-ups for one address: a user who signs up twice with one password keeps it, whichever client confirms (M4)', async () => {
  await signUp(owner, OWN, 'Owner');
  await signUp(server.client({ 'x-test-address': '203.0.113.8' }), OWN, 'Owner');
  const { user, session } = await confirmLink(server.client(), (await server.lastEmailTo(email)).tokenHash);
  expect(mustChoose(session)).toBe(false);
  expect(user!.user_metadata['name']).toBe('Owner');
  expect(await refusalOf(OWN)).toBeNull();
});

it('two sign-ups for one address: a confirmation by form redirects to a page to choose a password (M4)', async () => {
  await signUp(owner, OWN, 'Owner');
  await signUp(otherUser, OTHER, 'Terry');
  const { tokenHash } = await server.lastEmailTo(email);
  const body = new URLSearchParams({ token: tokenHash, type: 'signup' });
  const answer = await server.call('/verify', { method: 'POST', body });
  expect(new URL(answer.headers.get('location')!).hash).toContain('type=recovery');
});

it('two sign-ups for one address within the minute in which no second e-mail is sent: the other user’s e-mail applies no password (M4)', async () => {
  await using server = await openAuthServer(CONFIRMING.replace('max_frequency = "0s"', 'max_frequency = "1m"'));
  const email = newEmail();
  const signUp = async (password: string) => {
    // Both users may share a network address.
    const { error } = await server.client().signUp({ email, password, options: { data: { name: password } } });
    await server.settled();
    return error?.code ?? null;
  };
  expect(await signUp(OTHER)).toBeNull();
  expect(await signUp(OTHER)).toBe('over_email_send_rate_limit');
  expect(await signUp(OWN)).toBe('over_email_send_rate_limit');
  const { data } = await server.redeem((await server.lastEmailTo(email)).tokenHash, 'signup');
  expect(data.session).toMatchObject({ set_password: true });
  expect(data.user!.user_metadata).not.toHaveProperty('name');
  for (const password of [OTHER, OWN]) expect(await server.signInError(email, password)).toBe('invalid_credentials');
  const unknown = newEmail();
  await server.service().admin.createUser({ email: unknown, email_confirm: true });
  const signUpUnknown = () => server.client().signUp({ email: unknown, password: OWN });
  expect((await signUpUnknown()).error).toBeNull();
  expect((await signUpUnknown()).error?.code).toBe('over_email_send_rate_limit');
});
