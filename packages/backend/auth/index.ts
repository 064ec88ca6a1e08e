import { Hono } from 'hono';
import type { BackendContext, Service } from '../context.ts';
import { allowEssentialWrites } from '../database/database.ts';
import { apiHeaders } from '../http/api-headers.ts';
import { cors } from '../http/cors.ts';
import { runHourly } from '../jobs/schedule.ts';
import type { Mail } from '../mail/index.ts';
import type { AuthContext, Env } from './context.ts';
import { errorResponse, errors } from './errors.ts';
import { PasswordHasher } from './password/hash.ts';
import { createProviders } from './providers/providers.ts';
import { createRates } from './rates.ts';
import { routes } from './routes.ts';
import { sweep } from './sweep.ts';

/** Sign-in and sign-out keep working when the disk is nearly full, so that an admin can free space. */
const ESSENTIAL_PATHS = /^\/auth\/v1\/(token|logout|verify|authorize|callback|sso|factors\/[^/]+\/(challenge|verify))/;

export interface IdentityService extends Service {
  /** Resolves when all work started with `later` has finished. */
  idle(): Promise<void>;
}

export async function createAuth(context: BackendContext, mail: Mail): Promise<IdentityService> {
  const background = new Set<Promise<unknown>>();
  const smsHook = context.project.auth.hook.send_sms;
  const identity: AuthContext = {
    ...context,
    mail,
    sms: smsHook.enabled ? (await import('../sms/hook.ts')).openHook(smsHook.uri, smsHook.secrets, context.log) : null,
    issuer: `${context.config.siteUrl}/auth/v1`,
    passwords: new PasswordHasher(context.config.workers),
    rates: createRates(context.project, context.db),
    providers: createProviders(context.project, `${context.config.siteUrl}/auth/v1/callback`, context.log),
    later: (work) => {
      const done = work()
        .catch((err: unknown) => context.log.error({ err }, 'identity background task failed'))
        .finally(() => background.delete(done));
      background.add(done);
    },
  };

  const essential = { ...identity, db: allowEssentialWrites(context.db) };

  const app = new Hono<Env>().basePath('/auth/v1');
  app.use(async (c, next) => {
    c.set('identity', ESSENTIAL_PATHS.test(c.req.path) ? essential : identity);
    await next();
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
  });
  app.use(apiHeaders);
  app.use(cors(['X-Total-Count', 'Link', 'X-Supabase-Api-Version', 'Retry-After']));
  app.route('/', routes());
  app.notFound((c) => errorResponse(errors.notFound(), c));
  app.onError(errorResponse);

  const stopSweeping = runHourly(() => sweep(context.db, context.project), {
    db: context.db,
    name: 'sweep identity',
    log: context.log,
    failureMessage: 'deleting expired sessions and tokens failed',
  });
  const idle = async () => {
    // Background work may schedule more, such as the e-mail for a new token.
    while (background.size) await Promise.all(background);
  };
  return {
    routes: app.routes,
    fetch: (request, origin) => app.fetch(request, origin),
    idle,
    close: async () => {
      await stopSweeping();
      await idle();
    },
  };
}
