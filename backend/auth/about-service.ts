import type { Context } from 'hono';
import type { Env } from './identity.ts';

/** `GET /health` */
export const health = (c: Context<Env>) =>
  c.json({ version: 'v2', name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' });

/** `GET /settings`: what a sign-in form may offer. */
export function settings(c: Context<Env>) {
  const { auth } = c.var.identity.project;
  return c.json({
    external: { anonymous_users: false, email: auth.email.enable_signup, phone: false, google: false, github: false },
    disable_signup: !auth.enable_signup,
    mailer_autoconfirm: !auth.email.enable_confirmations,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  });
}

/** `GET /.well-known/jwks.json`: the public halves of the keys that sign, or signed, access tokens. */
export const keySet = (c: Context<Env>) =>
  c.json({ keys: c.var.identity.keys.signing.map((key) => key.publicJwk) }, 200, {
    'cache-control': 'public, max-age=600',
  });
