import { expect, it } from 'vitest';
import { clientsFor } from '#session/browser.ts';
import { setUpByEmail } from './admin-setup.ts';

const user = { id: '6f1f2c3e-0000-4000-8000-000000000001', email: 'first@madhouse.example', identities: [] };
const request = { key: 'k'.repeat(24), email: user.email, password: 'a-long-walk-7' };

/** The official clients before a network that answers by path. */
function means(answers: Record<string, () => Response>) {
  const paths: string[] = [];
  const lines: string[] = [];
  const send = (async (input: RequestInfo | URL) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    paths.push(path);
    return answers[path]?.() ?? Response.json({ message: 'Not found' }, { status: 404 });
  }) as typeof fetch;
  const clients = clientsFor({ url: 'https://abcd.supabase.example', key: 'sb_publishable_x' }, send);
  return { paths, lines, ...clients, origin: 'https://madhouse.example', log: (line: string) => lines.push(line) };
}
const CHECK = '/functions/v1/admin-setup';
const SIGN_UP = '/auth/v1/signup';
const ASSIGN = '/rest/v1/rpc/assign_admin_role';

it('reports that the account was created without the admin role, and the next step (ERR-06, SETUP-14)', async () => {
  const refusal = { code: 'P0001', message: 'No confirmed account has this email address.' };
  const site = means({
    [CHECK]: () => Response.json({ success: true, error: null }),
    [SIGN_UP]: () => Response.json(user),
    [ASSIGN]: () => Response.json(refusal, { status: 400 }),
  });
  expect(await setUpByEmail(site, request)).toBe('manual');
  expect(site.lines.slice(-2)).toEqual([
    'User created but failed to assign admin role: No confirmed account has this email address.',
    'You may need to manually assign the admin role after confirming your email.',
  ]);
});

it('creates no account when the server rejects the key (M5, SETUP-08)', async () => {
  const error = 'Invalid admin key. Please enter the correct key to create an admin account.';
  const site = means({
    [CHECK]: () => Response.json({ success: false, error }),
    [SIGN_UP]: () => Response.json(user),
  });
  await expect(setUpByEmail(site, request)).rejects.toThrow(error);
  expect(site.paths).toEqual([CHECK]);
});
