import { expect, it } from 'vitest';
import { saveSetting } from '../../../../../app/features/settings/model/settings.ts';
import { type Client, openSite } from '../../../../../tests/contract/audit/site.ts';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { TOTP } from '../../../../../tests/packages/packages.ts';

const site = forAllTests(() => openSite(''));

const callFlag = async ({ data }: Client, name: 'is_admin' | 'admin_needs_second_factor') =>
  (await data.rpc(name)).data as boolean;

it('admin rights need the required second factor, from its activation to the loss of the phone', async () => {
  const account = await site.account();
  expect((await site.service().data.rpc('assign_admin_role', { admin_email: account.email })).error).toBeNull();
  /** Whether each of the admin functions succeeds. */
  const callFunctions = (client: Client) => {
    const call = async (name: string) => (await client.invoke(name, { action: 'list', email: account.email })).success;
    return Promise.all(['manage-users', 'auto-verify'].map(call));
  };
  const onlyPassword = await account.client();
  expect(await callFlag(onlyPassword, 'is_admin')).toBe(true);
  const setting = saveSetting(onlyPassword.data, 'admins_need_second_factor', true, undefined);
  await expect(setting).rejects.toThrow('Sign in with your own second factor first');

  const { auth } = onlyPassword;
  const { data: begun } = await auth.mfa.enroll({ factorType: 'totp' });
  const app = new TOTP({ secret: begun!.totp!.secret });
  expect((await auth.mfa.challengeAndVerify({ factorId: begun!.id, code: app.generate() })).error).toBeNull();
  const withFactor = site.withToken((await auth.getSession()).data.session!.access_token);
  await saveSetting(withFactor.data, 'admins_need_second_factor', true, undefined);
  expect(await callFlag(withFactor, 'is_admin')).toBe(true);
  expect(await callFlag(withFactor, 'admin_needs_second_factor')).toBe(false);

  const stale = await account.client();
  expect(await callFlag(stale, 'is_admin')).toBe(false);
  expect(await callFlag(stale, 'admin_needs_second_factor')).toBe(true);
  expect((await stale.data.from('audit_log').select('id').limit(1)).data).toEqual([]);
  // The functions check the same condition.
  expect(await callFunctions(withFactor)).toEqual([true, true]);
  expect(await callFunctions(stale)).toEqual([false, false]);

  // The token still has aal2, the session does not.
  expect((await auth.mfa.unenroll({ factorId: begun!.id })).error).toBeNull();
  expect(await callFlag(withFactor, 'is_admin')).toBe(false);
  expect(await callFlag(withFactor, 'admin_needs_second_factor')).toBe(true);
});
