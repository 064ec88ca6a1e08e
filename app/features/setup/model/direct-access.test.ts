import { describe, expect, it } from 'vitest';
import { clientsFor } from '#session/browser.ts';
import { setUpByEmail } from './admin-setup.ts';
import { createDirectly, signInDirectly } from './direct-access.ts';

const account = { email: 'first@madhouse.example', password: 'a-long-walk-7', key: 'k'.repeat(24) };
const user = { id: '6f1f2c3e-0000-4000-8000-000000000001', email: account.email, identities: [], app_metadata: {} };
const claims = Buffer.from(JSON.stringify({ aal: 'aal1', exp: 4e9 })).toString('base64url');
const token = `e30.${claims}.c2ln`;
const session = { access_token: token, refresh_token: 'r'.repeat(12), token_type: 'bearer', expires_in: 3600, user };
const origin = 'https://madhouse.example';

const CHECK = '/functions/v1/admin-setup';
const SIGN_UP = '/auth/v1/signup';
const TOKEN = '/auth/v1/token';
const ASSIGN = '/rest/v1/rpc/assign_admin_role';
const refuse = (status: number, code: string, message: string) => () => Response.json({ code, message }, { status });
const made = () => Response.json(user);
const done = () => new Response(null, { status: 204 });
const signedIn = () => Response.json(session);
const ONLY_ADMINS = 'Only an admin can assign the admin role.';
const denied = refuse(403, 'PT403', ONLY_ADMINS);
const unconfirmed = refuse(400, 'email_not_confirmed', 'Email not confirmed');
const badGateway = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const noAccount = () => Response.json({});
const NO_ROLE = `Account created but failed to assign admin role: ${ONLY_ADMINS}`;
const NO_SIGN_IN = "Account created but couldn't sign in:";
const UNREACHABLE = 'The server could not be reached. Check your connection, then try again.';

/** The official clients before a network that answers by path; what was requested is recorded. */
function means(answers: Record<string, () => Response>) {
  const requests: { path: string; headers: Headers }[] = [];
  const lines: string[] = [];
  const send = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname: path } = new URL(request.url);
    requests.push({ path, headers: request.headers });
    return (answers[path] ?? refuse(404, 'not_found', 'Not found'))();
  }) as typeof fetch;
  const clients = clientsFor({ url: 'https://abcd.supabase.example', key: 'sb_publishable_x' }, send);
  const paths = () => requests.map(({ path }) => path);
  return { requests, paths, lines, ...clients, origin, log: (line: string) => lines.push(line) };
}

describe('creating an admin account directly', () => {
  it('signs up, assigns the role with the key, and signs in (PERM-09)', async () => {
    const services = means({ [SIGN_UP]: made, [ASSIGN]: done, [TOKEN]: signedIn });
    await createDirectly(services, account, origin);
    expect(services.paths()).toEqual([SIGN_UP, ASSIGN, TOKEN]);
    expect(services.requests[1]!.headers.get('x-setup-key')).toBe(account.key);
  });

  it.each<[string, () => Response, () => Response, () => Response, string]>([
    ['an account that cannot sign in (DIRECT-09)', made, done, unconfirmed, `${NO_SIGN_IN} Email not confirmed`],
    ['an unreachable server (DIRECT-09)', made, done, badGateway, `${NO_SIGN_IN} ${UNREACHABLE}`],
    ['a denied role (DIRECT-08)', made, denied, signedIn, NO_ROLE],
    ['a response without an account (ERR-05)', noAccount, done, signedIn, 'Failed to create user account'],
  ])('reports %s', async (_, signUp, assign, signIn, message) => {
    const services = means({ [SIGN_UP]: signUp, [ASSIGN]: assign, [TOKEN]: signIn });
    await expect(createDirectly(services, account, origin)).rejects.toThrow(message);
    expect(services.paths().includes(TOKEN)).toBe(signIn !== signedIn);
  });
});

describe('signing in directly', () => {
  it('requires the second factor before it requests a role', async () => {
    const factors = [{ id: 'f', factor_type: 'totp', status: 'verified', created_at: '', updated_at: '' }];
    const services = means({ [TOKEN]: () => Response.json({ ...session, user: { ...user, factors } }) });
    await signInDirectly(services, account);
    expect(services.paths()).toEqual([TOKEN]);
  });

  it('requests the role for a user without it, and shows the reason for a refusal (DIRECT-07)', async () => {
    const no = () => Response.json(false);
    const roles = { '/rest/v1/rpc/is_admin': no, '/rest/v1/rpc/can_edit_content': no };
    const services = means({ [TOKEN]: signedIn, ...roles, [ASSIGN]: denied });
    await expect(signInDirectly(services, account)).rejects.toThrow(`Failed to assign admin role: ${ONLY_ADMINS}`);
  });
});

describe('setting up the first admin by email', () => {
  it('reports that the account was created without the admin role, and the next step (ERR-06, SETUP-14)', async () => {
    const reason = 'No confirmed account has this email address.';
    const accepted = () => Response.json({ success: true, error: null });
    const site = means({ [CHECK]: accepted, [SIGN_UP]: made, [ASSIGN]: refuse(400, 'P0001', reason) });
    expect(await setUpByEmail(site, account)).toBe('manual');
    expect(site.lines.slice(-2)).toEqual([
      `User created but failed to assign admin role: ${reason}`,
      'You may need to manually assign the admin role after confirming your email.',
    ]);
  });

  it('creates no account when the server rejects the key (M5, SETUP-08)', async () => {
    const error = 'Invalid admin key. Please enter the correct key to create an admin account.';
    const site = means({ [CHECK]: () => Response.json({ success: false, error }), [SIGN_UP]: made });
    await expect(setUpByEmail(site, account)).rejects.toThrow(error);
    expect(site.paths()).toEqual([CHECK]);
  });
});
