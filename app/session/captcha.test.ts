import { expect, it } from 'vitest';
import { withCaptcha } from './captcha.ts';

const AUTH = 'https://madhouse.example/auth/v1';

/** What arrives at the service, and how often the check was shown. */
function service(token: string | null) {
  const arrived: { url: string; body: unknown }[] = [];
  let shown = 0;
  const network = (async (input: RequestInfo | URL, init?: RequestInit) => {
    arrived.push({ url: String(input), body: init?.body && JSON.parse(String(init.body)) });
    return Response.json({});
  }) as typeof fetch;
  const send = withCaptcha(network, async () => {
    shown++;
    return token;
  });
  const post = (path: string, body: object) => send(AUTH + path, { method: 'POST', body: JSON.stringify(body) });
  return { arrived, shown: () => shown, post, send };
}

it('adds the token to every guarded call and changes nothing else', async () => {
  const { arrived, shown, post } = service('solved');
  for (const path of ['/signup?redirect_to=x', '/otp', '/recover', '/resend', '/sso', '/token?grant_type=password'])
    await post(path, { email: 'a@example.com', gotrue_meta_security: {} });
  expect(shown()).toBe(6);
  for (const { body } of arrived)
    expect(body).toEqual({ email: 'a@example.com', gotrue_meta_security: { captcha_token: 'solved' } });
});

it('solves no captcha for other calls', async () => {
  const { shown, post, send } = service('solved');
  await post('/token?grant_type=refresh_token', { refresh_token: 'r' });
  await post('/verify', { type: 'email' });
  await post('/factors/signup', {});
  await send('https://madhouse.example/rest/v1/rpc/is_admin', { method: 'POST', body: '{}' });
  await send(`${AUTH}/user`);
  expect(shown()).toBe(0);
});

it('sends the call without a token when the captcha was not solved', async () => {
  const { arrived, post } = service(null);
  await post('/otp', { email: 'a@example.com' });
  expect(arrived[0]!.body).toEqual({ email: 'a@example.com' });
});
