import { AuthClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveSetting } from '../../../../app/features/settings/model/settings.ts';
import { type Account, copySeededData } from '../../../seeded-data.ts';
import { publishableKeyOf, type RunningServer, startServer } from '../../../server.ts';

let server: RunningServer;
let key: string;
let account: Account;

beforeAll(async () => {
  const { dataDir, accounts } = await copySeededData();
  server = await startServer({ SEED: 'none' }, dataDir);
  key = await publishableKeyOf(server.base);
  account = accounts.admin;
});
afterAll(() => server?.stop());

async function signedIn() {
  const auth = new AuthClient({
    url: `${server.base}/auth/v1`,
    headers: { apikey: key },
    autoRefreshToken: false,
    persistSession: false,
  });
  const { error } = await auth.signInWithPassword(account);
  if (error) throw error;
  const token = async () => (await auth.getSession()).data.session!.access_token;
  return { auth, token };
}

const dataOf = (token: string) =>
  new PostgrestClient(`${server.base}/rest/v1`, { headers: { apikey: key, authorization: `Bearer ${token}` } });
const callFlag = async (token: string, name: 'is_admin' | 'admin_needs_second_factor') =>
  (await dataOf(token).rpc(name)).data as boolean;

/** Whether the functions for admins do what they are for. */
const callFunctions = (token: string) =>
  Promise.all(
    ['manage-users', 'auto-verify'].map(async (name) => {
      const answer = await fetch(`${server.base}/functions/v1/${name}`, {
        method: 'POST',
        headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'list', email: account.email }),
      });
      return ((await answer.json()) as { success: boolean }).success;
    }),
  );

describe('an admin on a server where admins need a second factor', () => {
  it('is one only with it, from switching it on to losing the phone', async () => {
    const { auth, token } = await signedIn();
    const onlyPassword = await token();
    expect(await callFlag(onlyPassword, 'is_admin')).toBe(true);
    await expect(saveSetting(dataOf(onlyPassword), 'admins_need_second_factor', true, undefined)).rejects.toThrow(
      'Sign in with your own second factor first',
    );

    const { data: begun } = await auth.mfa.enroll({ factorType: 'totp' });
    const app = new TOTP({ secret: begun!.totp!.secret });
    const { error } = await auth.mfa.challengeAndVerify({ factorId: begun!.id, code: app.generate() });
    expect(error).toBeNull();
    const withFactor = await token();
    await saveSetting(dataOf(withFactor), 'admins_need_second_factor', true, undefined);
    expect(await callFlag(withFactor, 'is_admin')).toBe(true);
    expect(await callFlag(withFactor, 'admin_needs_second_factor')).toBe(false);

    const staleToken = await (await signedIn()).token();
    expect(await callFlag(staleToken, 'is_admin')).toBe(false);
    expect(await callFlag(staleToken, 'admin_needs_second_factor')).toBe(true);
    const log = await dataOf(staleToken).from('audit_log').select('id').limit(1);
    expect(log.data).toEqual([]);
    // The functions ask the same question.
    expect(await callFunctions(withFactor)).toEqual([true, true]);
    expect(await callFunctions(staleToken)).toEqual([false, false]);

    // The token still says so, the session does not.
    expect((await auth.mfa.unenroll({ factorId: begun!.id })).error).toBeNull();
    expect(await callFlag(withFactor, 'is_admin')).toBe(false);
    expect(await callFlag(withFactor, 'admin_needs_second_factor')).toBe(true);
  });
});
