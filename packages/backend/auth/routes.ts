import { Hono, type MiddlewareHandler } from 'hono';
import { generateLink, invite } from './admin/generate-link.ts';
import {
  adminCreateUser,
  adminDeleteFactor,
  adminDeleteUser,
  adminListFactors,
  adminListUsers,
  adminShowUser,
  adminUpdateFactor,
  adminUpdateUser,
} from './admin/users.ts';
import { adminListAudit } from './audit.ts';
import { captcha } from './captcha.ts';
import type { AuthRequest, Env } from './context.ts';
import { errors } from './errors.ts';
import { enrollFactor, unenrollFactor } from './factors/enroll-factor.ts';
import {
  countRecoveryCodes,
  createRecoveryCodes,
  removeRecoveryCodes,
  replaceRecoveryCodes,
  verifyRecoveryCode,
} from './factors/recovery-codes.ts';
import { challengeFactor, verifyFactor } from './factors/verify-factor.ts';
import { authorizeIdentity, unlinkIdentity } from './linking/identities.ts';
import { magicLink, otp, reauthenticate, recover, resend } from './links/request-email.ts';
import { verify, verifyLink } from './links/verify.ts';
import { passwordGrant } from './password/password-grant.ts';
import { authorize } from './providers/authorize.ts';
import { callback } from './providers/callback.ts';
import { idTokenGrant, pkceGrant } from './providers/grants.ts';
import { enabledProviders } from './providers/providers.ts';
import { countRequest, type RequestRate } from './rates.ts';
import { withRefusal } from './redirect.ts';
import { serviceOnly, signedIn } from './sessions/bearer.ts';
import { refreshGrant } from './sessions/refresh-grant.ts';
import { logout } from './sessions/session.ts';
import { signUp } from './users/signup.ts';
import { updateUser } from './users/update-user.ts';
import { showUser } from './users/user.ts';

const health = (c: AuthRequest) =>
  c.json({ version: 'v2', name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' });

/** `GET /settings`: public settings for sign-in forms; contains no secrets. */
function settings(c: AuthRequest) {
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

const keySet = (c: AuthRequest) =>
  c.json({ keys: c.var.identity.keys.signing.map((key) => key.publicJwk) }, 200, {
    'cache-control': 'public, max-age=600',
  });

const GRANTS: Record<string, (c: AuthRequest) => Promise<Response>> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
  id_token: idTokenGrant,
};

async function token(c: AuthRequest) {
  const name = c.req.query('grant_type') ?? '';
  if (!Object.hasOwn(GRANTS, name)) throw errors.unsupportedGrant();
  return GRANTS[name]!(c);
}

const limited =
  (name: RequestRate): MiddlewareHandler<Env> =>
  async (c, next) => {
    await countRequest(c, name);
    await next();
  };

type Endpoint = (c: AuthRequest) => Response | Promise<Response>;

const refuseSaml: Endpoint = () => {
  throw errors.samlDisabled();
};

/** Loads the modules of SAML on the first request, and only in a project with SAML. */
const saml =
  <Name extends string>(load: () => Promise<Record<Name, Endpoint>>, name: Name, refuse = refuseSaml): Endpoint =>
  async (c) =>
    c.var.identity.project.auth.saml.enabled ? (await load())[name](c) : refuse(c);

const ssoStart = () => import('./sso/start-sign-in.ts');
const serviceProvider = () => import('./sso/service-provider.ts');
const ssoAdmin = () => import('./sso/admin.ts');
const samlResponses = () => import('./sso/consume-assertion.ts');

const refuseToBrowser: Endpoint = (c) =>
  c.redirect(withRefusal(c.var.identity.config.siteUrl, errors.samlDisabled()), 303);

const endpoints = new Hono<Env>()
  .get('/health', health)
  .get('/settings', settings)
  .get('/.well-known/jwks.json', keySet)

  .post('/signup', signUp)
  .post('/token', token)
  .post('/otp', limited('requestEmail'), captcha, otp)
  .post('/magiclink', limited('requestEmail'), captcha, magicLink)
  .post('/recover', limited('requestEmail'), captcha, recover)
  .post('/resend', limited('requestEmail'), captcha, resend)
  .get('/verify', verifyLink)
  .post('/verify', limited('verify'), verify)

  .get('/authorize', authorize)
  .get('/callback', callback)
  .post('/callback', callback)

  .get('/user', signedIn, (c) =>
    c.json({ ...showUser(c.var.user), has_password: c.var.user.encrypted_password !== null }),
  )
  .put('/user', limited('changeUser'), signedIn, updateUser)
  .get('/user/identities/authorize', limited('provider'), signedIn, authorizeIdentity)
  .delete('/user/identities/:id', limited('changeUser'), signedIn, unlinkIdentity)
  .get('/reauthenticate', limited('requestEmail'), signedIn, reauthenticate)
  .post('/logout', signedIn, logout)

  .post('/factors', limited('changeUser'), signedIn, enrollFactor)
  .get('/factors/recovery-codes', signedIn, countRecoveryCodes)
  .post('/factors/recovery-codes', limited('changeUser'), signedIn, createRecoveryCodes)
  .delete('/factors/recovery-codes', limited('changeUser'), signedIn, removeRecoveryCodes)
  .post('/factors/recovery-codes/regenerate', limited('changeUser'), signedIn, replaceRecoveryCodes)
  .post('/factors/recovery-codes/verify', limited('factor'), signedIn, verifyRecoveryCode)
  .post('/factors/:id/challenge', limited('factor'), signedIn, challengeFactor)
  .post('/factors/:id/verify', limited('factor'), signedIn, verifyFactor)
  .delete('/factors/:id', limited('changeUser'), signedIn, unenrollFactor)

  .post('/sso', limited('sso'), captcha, saml(ssoStart, 'startSso'))
  .get('/sso/saml/metadata', saml(serviceProvider, 'samlMetadata'))
  .post('/sso/saml/acs', saml(samlResponses, 'consumeAssertion', refuseToBrowser))
  .get('/sso/saml/acs', limited('sso'), saml(samlResponses, 'finishInBrowser', refuseToBrowser))

  .post('/invite', serviceOnly, invite)
  .post('/admin/generate_link', serviceOnly, generateLink)
  .get('/admin/audit', serviceOnly, adminListAudit)
  .get('/admin/users', serviceOnly, adminListUsers)
  .post('/admin/users', serviceOnly, adminCreateUser)
  .get('/admin/users/:id', serviceOnly, adminShowUser)
  .put('/admin/users/:id', serviceOnly, adminUpdateUser)
  .delete('/admin/users/:id', serviceOnly, adminDeleteUser)
  .get('/admin/users/:id/factors', serviceOnly, adminListFactors)
  .put('/admin/users/:id/factors/:fid', serviceOnly, adminUpdateFactor)
  .delete('/admin/users/:id/factors/:fid', serviceOnly, adminDeleteFactor)
  .get('/admin/sso/providers', serviceOnly, saml(ssoAdmin, 'adminListProviders'))
  .post('/admin/sso/providers', serviceOnly, saml(ssoAdmin, 'adminCreateProvider'))
  .get('/admin/sso/providers/:id', serviceOnly, saml(ssoAdmin, 'adminShowProvider'))
  .put('/admin/sso/providers/:id', serviceOnly, saml(ssoAdmin, 'adminUpdateProvider'))
  .delete('/admin/sso/providers/:id', serviceOnly, saml(ssoAdmin, 'adminDeleteProvider'));

export function routes(): Hono<Env> {
  const methods = Map.groupBy(endpoints.routes, ({ path }) => path);
  const app = new Hono<Env>().route('/', endpoints);
  for (const [path, pathRoutes] of methods) {
    const allow = [...new Set(pathRoutes.map(({ method }) => method))].join(', ');
    app.all(path, () => {
      throw errors.methodNotAllowed(allow);
    });
  }
  return app;
}
