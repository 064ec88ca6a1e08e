import type { Context } from 'hono';
import type { Env } from './context.ts';
import { enabledProviders } from './providers/providers.ts';

export const health = (c: Context<Env>) =>
  c.json({ version: 'v2', name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' });

/** `GET /settings`: public settings for sign-in forms; contains no secrets. */
export function settings(c: Context<Env>) {
  const { project, sms } = c.var.identity;
  const { auth } = project;
  return c.json({
    external: {
      ...enabledProviders(project),
      anonymous_users: auth.enable_anonymous_sign_ins,
      email: auth.email.enable_signup,
      phone: auth.sms.enable_signup,
    },
    disable_signup: !auth.enable_signup,
    mailer_autoconfirm: !auth.email.enable_confirmations,
    phone_autoconfirm: !auth.sms.enable_confirmations,
    sms_provider: sms ? 'hook' : '',
    saml_enabled: auth.saml.enabled,
    // Not in the upstream API: read by the account page.
    manual_linking_enabled: auth.enable_manual_linking,
    mfa: { totp: auth.mfa.totp.enroll_enabled, phone: auth.mfa.phone.enroll_enabled && sms !== null },
  });
}

export const keySet = (c: Context<Env>) =>
  c.json({ keys: c.var.identity.keys.signing.map((key) => key.publicJwk) }, 200, {
    'cache-control': 'public, max-age=600',
  });
