import { expect, it } from 'vitest';
import { clientsFor } from '../../session/browser.ts';
import { setUpByEmail } from './admin-setup.ts';

it('ERR-06, SETUP-14: says that the account was made and the role was not, and what to do', async () => {
  const user = { id: '6f1f2c3e-0000-4000-8000-000000000001', email: 'first@madhouse.example', identities: [] };
  const refusal = { code: 'P0001', message: 'No confirmed account has this e-mail address.' };
  const send = (async (input: RequestInfo | URL) =>
    new URL(input instanceof Request ? input.url : input).pathname === '/auth/v1/signup'
      ? Response.json(user)
      : Response.json(refusal, { status: 400 })) as typeof fetch;
  const lines: string[] = [];
  const means = {
    ...clientsFor({ url: 'https://abcd.supabase.example', key: 'sb_publishable_x' }, send),
    origin: 'https://madhouse.example',
    log: (line: string) => lines.push(line),
  };
  const request = { key: 'k'.repeat(24), email: user.email, password: 'a-long-walk-7' };
  expect(await setUpByEmail(means, request)).toBe('manual');
  expect(lines.slice(-2)).toEqual([
    'User created but failed to assign admin role: No confirmed account has this e-mail address.',
    'You may need to manually assign the admin role after confirming your email.',
  ]);
});
