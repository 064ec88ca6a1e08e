import { Hono } from 'hono';
import { health, keySet, settings } from './about-service.ts';
import { adminDeleteFactor, adminListFactors, adminUpdateFactor } from './admin/factors.ts';
import { generateLink } from './admin/generate-link.ts';
import { invite } from './admin/invite.ts';
import { adminListAudit } from './admin/list-audit.ts';
import {
  adminCreateProvider,
  adminDeleteProvider,
  adminListProviders,
  adminShowProvider,
  adminUpdateProvider,
} from './admin/sso-providers.ts';
import { adminCreateUser, adminDeleteUser, adminListUsers, adminShowUser, adminUpdateUser } from './admin/users.ts';
import { captcha } from './captcha.ts';
import type { Env } from './context.ts';
import { errors } from './errors.ts';
import { challengeFactor } from './factors/challenge-factor.ts';
import { enrollFactor } from './factors/enroll-factor.ts';
import {
  countRecoveryCodes,
  createRecoveryCodes,
  removeRecoveryCodes,
  replaceRecoveryCodes,
} from './factors/recovery-codes.ts';
import { unenrollFactor } from './factors/unenroll-factor.ts';
import { verifyFactor } from './factors/verify-factor.ts';
import { verifyRecoveryCode } from './factors/verify-recovery-code.ts';
import { authorizeIdentity } from './linking/authorize-identity.ts';
import { unlinkIdentity } from './linking/unlink-identity.ts';
import { magicLink } from './links/magic-link.ts';
import { otp } from './links/otp.ts';
import { resend } from './links/resend.ts';
import { verify, verifyLink } from './links/verify.ts';
import { reauthenticate } from './password/reauthenticate.ts';
import { recover } from './password/recover.ts';
import { authorize } from './providers/authorize.ts';
import { callback } from './providers/callback.ts';
import { limited } from './rates.ts';
import { serviceOnly, signedIn } from './sessions/bearer.ts';
import { logout } from './sessions/logout.ts';
import { token } from './sessions/token.ts';
import { consumeAssertion, finishInBrowser } from './sso/consume-assertion.ts';
import { samlMetadata } from './sso/service-provider.ts';
import { startSso } from './sso/start-sso.ts';
import { signUp } from './users/signup.ts';
import { updateUser } from './users/update-user.ts';
import { showUser } from './users/user.ts';

const endpoints = new Hono<Env>()
  .get('/health', health)
  .get('/settings', settings)
  .get('/.well-known/jwks.json', keySet)

  .post('/signup', limited('signUp'), captcha, signUp)
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

  .get('/user', signedIn, (c) => c.json(showUser(c.var.user)))
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

  .post('/sso', limited('sso'), captcha, startSso)
  .get('/sso/saml/metadata', samlMetadata)
  .post('/sso/saml/acs', consumeAssertion)
  .get('/sso/saml/acs', finishInBrowser)

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
  .get('/admin/sso/providers', serviceOnly, adminListProviders)
  .post('/admin/sso/providers', serviceOnly, adminCreateProvider)
  .get('/admin/sso/providers/:id', serviceOnly, adminShowProvider)
  .put('/admin/sso/providers/:id', serviceOnly, adminUpdateProvider)
  .delete('/admin/sso/providers/:id', serviceOnly, adminDeleteProvider);

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
