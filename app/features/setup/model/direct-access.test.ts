import { describe, expect, it } from 'vitest';
import { clientsFor } from '#session/browser.ts';
import { createDirectly, signInDirectly } from './direct-access.ts';

const account = { email: 'first@madhouse.example', password: 'a-long-walk-7', key: 'k'.repeat(24) };
const user = { id: '6f1f2c3e-0000-4000-8000-000000000001', email: account.email, identities: [], app_metadata: {} };
const claims = Buffer.from(JSON.stringify({ aal: 'aal1', exp: 4e9 })).toString('base64url');
const token = `e30.${claims}.c2ln`;
const session = { access_token: token, refresh_token: 'r'.repeat(12), token_type: 'bearer', expires_in: 3600, user };
const refused = (status: number, code: string, message: string) => Response.json({ code, message }, { status });

/** The official clients before a network that answers by path; what was requests is kept. */
function means(answers: Record<string, () => Response>) {
  const requests: { path: string; headers: Headers }[] = [];
  const send = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    requests.push({ path: pathname, headers: request.headers });
    return answers[pathname]?.() ?? refused(404, 'not_found', 'Not found');
  }) as typeof fetch;
  return { requests, ...clientsFor({ url: 'https://abcd.supabase.example', key: 'sb_publishable_x' }, send) };
}

const SIGN_UP = '/auth/v1/signup';
const TOKEN = '/auth/v1/token';
const ASSIGN = '/rest/v1/rpc/assign_admin_role';
const made = () => Response.json(user);
const done = () => new Response(null, { status: 204 });

describe('creating an admin account directly', () => {
  it('signs up, assigns the role with the key, and signs in (PERM-09)', async () => {
    const services = means({ [SIGN_UP]: made, [ASSIGN]: done, [TOKEN]: () => Response.json(session) });
    await createDirectly(services, account, 'https://madhouse.example');
    expect(services.requests.map(({ path }) => path)).toEqual([SIGN_UP, ASSIGN, TOKEN]);
    expect(services.requests[1]!.headers.get('x-setup-key')).toBe(account.key);
  });

  it('reports that the account was created but could not sign in (DIRECT-09)', async () => {
    const unconfirmed = () => refused(400, 'email_not_confirmed', 'Email not confirmed');
    const services = means({ [SIGN_UP]: made, [ASSIGN]: done, [TOKEN]: unconfirmed });
    await expect(createDirectly(services, account, 'https://madhouse.example')).rejects.toThrow(
      "Account created but couldn't sign in: Email not confirmed",
    );
    const away = means({
      [SIGN_UP]: made,
      [ASSIGN]: done,
      [TOKEN]: () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    });
    await expect(createDirectly(away, account, 'https://madhouse.example')).rejects.toThrow(
      "Account created but couldn't sign in: The server could not be reached. Check your connection, then try again.",
    );
  });

  it('reports a denied role and does not sign in (DIRECT-08)', async () => {
    const no = () => refused(403, 'PT403', 'Only an admin can assign the admin role.');
    const services = means({ [SIGN_UP]: made, [ASSIGN]: no });
    await expect(createDirectly(services, account, 'https://madhouse.example')).rejects.toThrow(
      'Account created but failed to assign admin role: Only an admin can assign the admin role.',
    );
    expect(services.requests.map(({ path }) => path)).toEqual([SIGN_UP, ASSIGN]);
  });

  it('reports a sign-up response without an account (ERR-05)', async () => {
    const services = means({ [SIGN_UP]: () => Response.json({}) });
    await expect(createDirectly(services, account, 'https://madhouse.example')).rejects.toThrow(
      'Failed to create user account',
    );
  });
});

describe('signing in directly', () => {
  it('requires the second factor before it requests a role', async () => {
    const factors = [{ id: 'f', factor_type: 'totp', status: 'verified', created_at: '', updated_at: '' }];
    const services = means({ [TOKEN]: () => Response.json({ ...session, user: { ...user, factors } }) });
    await signInDirectly(services, account);
    expect(services.requests.map(({ path }) => path)).toEqual([TOKEN]);
  });

  it('requests the role for a user without it, and shows the reason for a refusal (DIRECT-07)', async () => {
    const services = means({
      [TOKEN]: () => Response.json(session),
      '/rest/v1/rpc/is_admin': () => Response.json(false),
      '/rest/v1/rpc/can_edit_content': () => Response.json(false),
      [ASSIGN]: () => refused(403, 'PT403', 'Only an admin can assign the admin role.'),
    });
    await expect(signInDirectly(services, account)).rejects.toThrow(
      'Failed to assign admin role: Only an admin can assign the admin role.',
    );
  });
});
