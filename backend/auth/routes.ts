import { Hono } from 'hono';
import { health, keySet, settings } from './about-service.ts';
import { adminCreateUser } from './admin/create-user.ts';
import { adminDeleteUser } from './admin/delete-user.ts';
import { adminListUsers } from './admin/list-users.ts';
import { adminShowUser } from './admin/show-user.ts';
import { adminUpdateUser } from './admin/update-user.ts';
import { serviceOnly, signedIn } from './bearer.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';
import { logout } from './logout.ts';
import { limited } from './rates.ts';
import { recover } from './recover.ts';
import { resend } from './resend.ts';
import { currentUser } from './show-user.ts';
import { signUp } from './signup.ts';
import { token } from './token.ts';
import { updateUser } from './update-user.ts';
import { verify } from './verify.ts';
import { verifyLink } from './verify-link.ts';

/** Every endpoint and who may call it: anybody (within limits), a signed-in person, a holder of the service key. */
const endpoints = new Hono<Env>()
  .get('/health', health)
  .get('/settings', settings)
  .get('/.well-known/jwks.json', keySet)

  .post('/signup', limited('signUp'), signUp)
  .post('/token', token)
  .post('/recover', limited('askForMail'), recover)
  .post('/resend', limited('askForMail'), resend)
  .get('/verify', verifyLink)
  .post('/verify', limited('verify'), verify)

  .get('/user', signedIn, currentUser)
  .put('/user', limited('changeUser'), signedIn, updateUser)
  .post('/logout', signedIn, logout)

  .get('/admin/users', serviceOnly, adminListUsers)
  .post('/admin/users', serviceOnly, adminCreateUser)
  .get('/admin/users/:id', serviceOnly, adminShowUser)
  .put('/admin/users/:id', serviceOnly, adminUpdateUser)
  .delete('/admin/users/:id', serviceOnly, adminDeleteUser);

/** The endpoints, and 405 with `Allow` for other methods on their paths. */
export function routes(): Hono<Env> {
  const methods = Map.groupBy(endpoints.routes, ({ path }) => path);
  const app = new Hono<Env>().route('/', endpoints);
  for (const [path, known] of methods) {
    const allow = [...new Set(known.map(({ method }) => method))].join(', ');
    app.all(path, () => {
      throw errors.methodNotAllowed(allow);
    });
  }
  return app;
}
