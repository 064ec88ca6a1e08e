import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { startHttpServer } from '../../../../tests/programs/http-server.ts';
import { bearer, newEmail, openAuthServer, PASSWORD, WIDE } from './auth-server.ts';

const SECRET = 'the secret of the site';

let verifications: Record<string, string>[];
/** Response of the provider instead of a result; null: none. */
let broken: string | null;

const receiver = forAllTests(() =>
  startHttpServer(async (request, response) => {
    expect(request.headers['content-type']).toContain('application/x-www-form-urlencoded');
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    verifications.push(form);
    const success = form['secret'] === SECRET && form['response'] === 'solved';
    const reasons = ['invalid-input-response', 'timeout-or-duplicate'];
    const verdict = { success, ...(success ? {} : { 'error-codes': reasons }) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(broken ?? JSON.stringify(verdict));
  }),
);
beforeEach(() => {
  verifications = [];
  broken = null;
});

const guarded = (url = `${receiver.url}/siteverify`) =>
  `[auth]\nenable_anonymous_sign_ins = true\n${WIDE}\n[auth.captcha]\nenabled = true\nprovider = "turnstile"\nsecret = "${SECRET}"\nurl = "${url}"\n`;

describe('captcha', () => {
  const server = forAllTests(() => openAuthServer(guarded()));

  it('is required for every call open to guests, and verified with secret and client address (AUTH-01)', async () => {
    const email = newEmail();
    const client = server.client();
    const options = { captchaToken: 'solved' };
    const calls: [string, () => Promise<{ error: unknown }>][] = [
      ['sign-up', () => client.signUp({ email, password: PASSWORD, options })],
      ['password', () => client.signInWithPassword({ email, password: PASSWORD, options })],
      ['an anonymous user', () => server.client().signInAnonymously({ options })],
      ['otp', () => client.signInWithOtp({ email, options })],
      ['recover', () => client.resetPasswordForEmail(email, options)],
      ['resend', () => client.resend({ type: 'signup', email, options })],
    ];
    for (const [name, call] of calls) {
      verifications = [];
      expect([name, (await call()).error]).toEqual([name, null]);
      expect(verifications).toEqual([{ secret: SECRET, response: 'solved', remoteip: '192.0.2.1' }]);
    }
    verifications = [];
    expect((await client.refreshSession()).error).toBeNull();
    await client.verifyOtp({ email, token: '000000', type: 'email' });
    expect(verifications).toEqual([]);
  });

  it.each(['/signup', '/token?grant_type=password', '/otp', '/magiclink', '/recover', '/resend', '/sso'])(
    'is rejected for %s, with a matching message (AUTH-01)',
    async (path) => {
      const NO_TOKEN = 'captcha protection: request disallowed (no captcha_token found)';
      const WRONG = 'captcha protection: request disallowed (invalid-input-response, timeout-or-duplicate)';
      for (const [security, msg, questions] of [
        [undefined, NO_TOKEN, 0],
        [{}, NO_TOKEN, 0],
        [{ captcha_token: 'x'.repeat(9000) }, NO_TOKEN, 0],
        [{ captcha_token: 'guess' }, WRONG, 1],
      ] as const) {
        verifications = [];
        const account = { email: newEmail(), password: PASSWORD, type: 'signup', domain: 'example.com' };
        const json = { ...account, gotrue_meta_security: security };
        expect(await server.answer(path, { json })).toEqual([400, { code: 400, error_code: 'captcha_failed', msg }]);
        expect(verifications).toHaveLength(questions);
      }
    },
  );

  it('is not required of holders of the service key', async () => {
    const json = { email: newEmail(), password: PASSWORD };
    const headers = { apikey: server.keys.secret, ...bearer(server.keys.secret) };
    expect((await server.call('/signup', { json, headers })).status).toBe(200);
    const forged = { apikey: `${server.keys.secret}x` };
    expect((await server.call('/signup', { json, headers: forged })).status).toBe(400);
    expect(verifications).toEqual([]);
  });

  it('is treated as unsolved when the provider’s response is malformed', async () => {
    for (const nonsense of ['<html>', '[]', '{"success":"true"}', '{}']) {
      broken = nonsense;
      const email = newEmail();
      const account = { email, password: PASSWORD, options: { captchaToken: 'solved' } };
      expect((await server.client().signUp(account)).error).not.toBeNull();
      expect(await server.rows('select from auth.users where email = $1', email)).toHaveLength(0);
    }
  });
});

it('is reported as unverifiable when the provider does not respond', async () => {
  await using server = await openAuthServer(guarded('http://127.0.0.1:1/siteverify'));
  const json = { email: newEmail(), gotrue_meta_security: { captcha_token: 'solved' } };
  const failure = { error_code: 'unexpected_failure', msg: expect.stringContaining('captcha') };
  expect(await server.answer('/recover', { json })).toMatchObject([500, failure]);
});
