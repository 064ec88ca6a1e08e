import { Hono } from 'hono';
import { cors } from '../http/cors.ts';
import type { Mail } from '../mail/index.ts';
import type { Parts, Service } from '../parts.ts';
import { answerError, errors } from './errors.ts';
import type { Env, Identity } from './identity.ts';
import { PasswordHasher } from './password-hash.ts';
import { createRates } from './rates.ts';
import { routes } from './routes.ts';
import { startSweeping } from './sweep.ts';

/** The identity service, `/auth/v1`. */
export async function createAuth(parts: Parts, mail: Mail): Promise<Service> {
  const background = new Set<Promise<unknown>>();
  const identity: Identity = {
    ...parts,
    mail,
    issuer: `${parts.config.siteUrl}/auth/v1`,
    passwords: new PasswordHasher(),
    rates: createRates(parts.project),
    later: (work) => {
      const done = work()
        .catch((err: unknown) => parts.log.error({ err }, 'identity work after an answer failed'))
        .finally(() => background.delete(done));
      background.add(done);
    },
  };

  const app = new Hono<Env>().basePath('/auth/v1');
  app.use(async (c, next) => {
    c.set('identity', identity);
    await next();
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
  });
  app.use(cors(['X-Total-Count', 'Link', 'X-Supabase-Api-Version', 'Retry-After']));
  app.route('/', routes());
  app.notFound((c) => answerError(errors.notFound(), c));
  app.onError(answerError);

  const stopSweeping = startSweeping(parts.db, parts.log);
  return {
    fetch: (request, origin) => app.fetch(request, origin),
    close: async () => {
      await stopSweeping();
      // Work may leave more work behind, such as the mail of a token just made.
      while (background.size) await Promise.all(background);
    },
  };
}
