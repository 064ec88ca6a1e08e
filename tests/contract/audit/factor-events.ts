import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newEmployee, postResponse } from '../../../packages/backend/tests/auth/providers/saml/company.ts';
import { addEvent, as, expectError, ok, refused, type World, withApp } from './event.ts';
import { type Client, newEmail } from './site.ts';

const withFactor = async ({ site }: World) => {
  const account = await site.account();
  return { account, app: await withApp(await account.client()), me: await account.client() };
};
const CHALLENGED = '{me} requested a second-factor check';
addEvent('identity.factor_begun', 'member', '{me} began to set up a second factor', async (_, { site }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' }));
  return { me };
});
const ADDED = ['{me} began to set up a second factor', CHALLENGED, '{me} added a second factor'];
addEvent('identity.factor_added', 'member', ADDED, async (_, { site }) => {
  const me = await (await site.account()).client();
  await withApp(me);
  return { me };
});
addEvent('identity.factor_challenged', 'member', CHALLENGED, async (_, world) => {
  const { me, app } = await withFactor(world);
  await ok(me.auth.mfa.challenge({ factorId: app.id }));
  return { me };
});
addEvent('identity.factor_verified', 'member', [CHALLENGED, '{me} passed the second factor'], async (_, world) => {
  const { me, app } = await withFactor(world);
  await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
  return { me };
});
addEvent('identity.factor_verified', 'member', [CHALLENGED, refused('pass the second factor')], async (_, world) => {
  const { me, app } = await withFactor(world);
  const code = app.next() === '000000' ? '000001' : '000000';
  await expectError(me.auth.mfa.challengeAndVerify({ factorId: app.id, code }));
  return { me };
});
addEvent('identity.factor_changed', 'service', '{me} changed a second factor of {it}', async (me, world) => {
  const { account, app } = await withFactor(world);
  const path = `/auth/v1/admin/users/${account.id}/factors/${app.id}`;
  expect((await me.call(path, { method: 'PUT', body: JSON.stringify({ friendly_name: 'Tablet' }) })).status).toBe(200);
  return { it: account.email };
});
const REMOVED = [CHALLENGED, '{me} passed the second factor', '{me} removed a second factor'];
addEvent('identity.factor_removed', 'member', REMOVED, async (_, world) => {
  const { me, app } = await withFactor(world);
  await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
  await ok(me.auth.mfa.unenroll({ factorId: app.id }));
  return { me };
});
addEvent('identity.factor_removed', 'service', '{me} removed a second factor of {it}', async (me, world) => {
  const { account, app } = await withFactor(world);
  await ok(me.auth.admin.mfa.deleteFactor({ id: app.id, userId: account.id }));
  return { it: account.email };
});
addEvent(
  'identity.recovery_codes_made identity.recovery_code_used identity.recovery_codes_removed',
  'member',
  [
    CHALLENGED,
    '{me} passed the second factor',
    '{me} generated recovery codes',
    '{me} used a recovery code',
    refused('use a recovery code'),
    '{me} removed their recovery codes',
  ],
  async (_, world) => {
    const { me, app } = await withFactor(world);
    await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
    const { data } = await ok(me.auth.mfa.recoveryCodes.generate());
    await ok(me.auth.mfa.recoveryCodes.verify({ code: data!.codes[0]! }));
    await expectError(me.auth.mfa.recoveryCodes.verify({ code: data!.codes[0]! }));
    await ok(me.auth.mfa.recoveryCodes.unenroll());
    return { me };
  },
);

const atGoogle = () => ({ aud: 'madhouse', sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Asha' });
const LINKED = ['{me} linked another way to sign in', '{me} signed in'];
addEvent('identity.identity_linked', 'member', LINKED, async (_, { site, google }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.linkIdentity({ provider: 'google', token: await google.sign(atGoogle()) }));
  return { me };
});
addEvent('identity.identity_linked', 'member', refused('link another way to sign in'), async (_, { site }) => {
  const me = await (await site.account()).client();
  await expectError(me.auth.linkIdentity({ provider: 'google', token: 'no.token.atall' }));
  return { me };
});
const UNLINKED = ['{me} linked another way to sign in', '{me} signed in', '{me} unlinked a way to sign in'];
addEvent('identity.identity_unlinked', 'member', UNLINKED, async (_, { site, google }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.linkIdentity({ provider: 'google', token: await google.sign(atGoogle()) }));
  const { data } = await ok(me.auth.getUserIdentities());
  await ok(me.auth.unlinkIdentity(data!.identities.find(({ provider }) => provider === 'google')!));
  return { me };
});
addEvent('identity.login', 'guest', refused('sign in'), async (me) => {
  await expectError(me.auth.signInWithIdToken({ provider: 'google', token: 'no.token.atall' }));
});
const company = (me: Client, method: string, path = '', json?: object) =>
  me.call(`/auth/v1/admin/sso/providers${path}`, { method, ...(json ? { body: JSON.stringify(json) } : {}) });
async function introduced(me: Client, { acme }: World): Promise<string> {
  const json = { type: 'saml', metadata_xml: acme.metadata, domains: ['acme.example'] };
  const response = await company(me, 'POST', '', json);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}
const COMPANY = ['{me} added a company sign-in', '{me} removed a company sign-in'];
addEvent('identity.sso_provider_created', 'service', COMPANY, async (me, world) => {
  await company(me, 'DELETE', `/${await introduced(me, world)}`);
});
addEvent('identity.sso_provider_changed', 'service', '{me} changed a company sign-in', async (me, world) => {
  const id = await introduced(world.site.service(), world);
  expect((await company(me, 'PUT', `/${id}`, { domains: ['acme.test'] })).status).toBe(200);
  await company(world.site.service(), 'DELETE', `/${id}`);
});
addEvent('identity.sso_provider_deleted', 'service', '{me} removed a company sign-in', async (me, world) => {
  expect((await company(me, 'DELETE', `/${await introduced(world.site.service(), world)}`)).status).toBe(200);
});
addEvent('identity.sso_code_issued', 'guest', '{me} signed in with their company', async (me, world) => {
  const { site, acme } = world;
  const id = await introduced(site.service(), world);
  acme.employee = newEmployee();
  const challenge = createHash('sha256').update('v'.repeat(50)).digest('base64url');
  const json = { provider_id: id, skip_http_redirect: true, code_challenge: challenge, code_challenge_method: 's256' };
  const { url } = (await (await me.call('/auth/v1/sso', { json })).json()) as { url: string };
  const from = { 'x-test-address': me.address };
  const { query } = await postResponse({ url: `${site.url}/auth/v1` }, await acme.visit(url), from);
  expect(query.get('code')).toBeTruthy();
  await company(site.service(), 'DELETE', `/${id}`);
  return { me: as(me, String(acme.employee.attributes['mail'])) };
});
