import { Hono } from 'hono';
import type { SupabaseProject } from '../config/supabase-config.ts';
import type { BackendContext } from '../context.ts';
import { allowEssentialWrites, type Database } from '../database/database.ts';
import { runEach, runHourly } from '../database/schedule.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { apiHeaders, cors } from '../http/cors.ts';
import type { Mail } from '../mail/index.ts';
import type { AuthContext, Env } from './context.ts';
import { errorResponse } from './error-response.ts';
import { errors } from './errors.ts';
import { PasswordHasher } from './password/hash.ts';
import { createProviders } from './providers/providers.ts';
import { createRates } from './rates.ts';
import { routes } from './routes.ts';
import { hasEnded } from './sessions/session.ts';

/** Sign-in and sign-out keep working when the disk is nearly full, so that an admin can free space. */
const ESSENTIAL_PATHS =
  /^\/auth\/v1\/(token|logout|verify|otp|magiclink|recover|resend|authorize|callback|sso|factors\/[^/]+\/(challenge|verify))/;

export async function createAuth(context: BackendContext, mail: Mail) {
  const { config, project, db, log } = context;
  const background = new Set<Promise<unknown>>();
  const smsHook = project.auth.hook.send_sms;
  const identity: AuthContext = {
    ...context,
    mail,
    sms: smsHook.enabled ? (await import('../hooks/sms-hook.ts')).openHook(smsHook.uri, smsHook.secrets, log) : null,
    issuer: `${config.siteUrl}/auth/v1`,
    passwords: new PasswordHasher(config.workers),
    rates: createRates(project, db),
    providers: createProviders(project, `${config.siteUrl}/auth/v1/callback`, log),
    later: (work) => {
      const done = work()
        .catch((err: unknown) => log.error({ err }, 'identity background task failed'))
        .finally(() => background.delete(done));
      background.add(done);
    },
  };

  const essential = { ...identity, db: allowEssentialWrites(db) };

  const app = new Hono<Env>().basePath('/auth/v1');
  app.use(async (c, next) => {
    c.set('identity', ESSENTIAL_PATHS.test(c.req.path) ? essential : identity);
    await next();
  });
  app.use(apiHeaders);
  app.use(cors('X-Total-Count, Link, X-Supabase-Api-Version, Retry-After'));
  app.route('/', routes());
  app.notFound((c) => errorResponse(errors.notFound(), c));
  app.onError(errorResponse);

  const sweepAll = async () => {
    await sweep(db, project);
    if (project.auth.saml.enabled) await (await import('./sso/sso-provider.ts')).refreshMetadata(db, log);
  };
  const stopSweeping = runHourly(sweepAll, { ...context, name: 'sweep identity' });
  /** Resolves when all work started with `later` has finished. */
  const idle = async () => {
    // It may start more, such as the e-mail for a new token.
    while (background.size) await Promise.all(background);
  };
  return {
    routes: app.routes,
    fetch: (request: Request, origin: ClientInfo) => app.fetch(request, origin),
    idle,
    close: async () => {
      await stopSweeping();
      await idle();
    },
  };
}

/** Sessions without their own limit are deleted after half a year without a refresh. */
const STATEMENTS = [
  "delete from auth.one_time_tokens where expires_at < now() - interval '1 day'",
  "delete from auth.sessions where greatest(created_at, refreshed_at) < now() - interval '180 days'",
  // Keeps the parent of an active token: a tab that missed the response may still present it.
  `delete from auth.refresh_tokens old where revoked and updated_at < now() - interval '30 days'
     and not exists (select from auth.refresh_tokens active where active.parent = old.token and not active.revoked)`,
  "delete from auth.mfa_challenges where created_at < now() - interval '1 hour'",
  "delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day'",
  `delete from auth.flow_state flow where created_at < now() - interval '1 hour'
     and not exists (select from auth.one_time_tokens t where t.flow_state_id = flow.id)`,
  "delete from auth.attempts where last_failed_at < now() - interval '1 day' and not starts_with(subject, 'place:')",
  "delete from auth.attempts where last_failed_at < now() - interval '30 days'",
  "delete from auth.saml_relay_states where created_at < now() - interval '1 day'",
  "delete from auth.saml_assertions where expires_at < now() - interval '1 day'",
];

function statementsOf(project: SupabaseProject): string[] {
  // Ended sessions are kept for a day, so that a refresh still reports them as expired.
  const ended = `delete from auth.sessions s where ${hasEnded(project, "now() - interval '1 day'")}`;
  const { keep_anonymous_days: days } = project.auth;
  if (!days) return [ended];
  const age = `now() - interval '${Number(days)} days'`;
  const unused = `delete from auth.users u where is_anonymous and created_at < ${age} and not exists (
    select from auth.sessions s where s.user_id = u.id and greatest(s.created_at, s.refreshed_at) > ${age})`;
  return [ended, unused];
}

/** @throws AggregateError after running the other statements */
export const sweep = (db: Database, project: SupabaseProject): Promise<void> =>
  runEach(db, [...STATEMENTS, ...statementsOf(project)]);
