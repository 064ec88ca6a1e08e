import type { SupabaseProject } from '../config/supabase-config.ts';
import type { Database } from '../database/database.ts';
import { runEach } from '../jobs/schedule.ts';
import { hasEnded } from './sessions/session.ts';

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

/** Ended sessions are kept for a day, so that a refresh still reports them as expired. */
function statementsOf(project: SupabaseProject): string[] {
  const { keep_anonymous_days: days } = project.auth;
  const unused = `not exists (select from auth.sessions s
    where s.user_id = u.id and greatest(s.created_at, s.refreshed_at) > now() - interval '${Number(days)} days')`;
  return [
    `delete from auth.sessions s where ${hasEnded(project, "now() - interval '1 day'")}`,
    ...(days
      ? [
          `delete from auth.users u where is_anonymous and created_at < now() - interval '${Number(days)} days' and ${unused}`,
        ]
      : []),
  ];
}

/** Deletes old sessions, tokens and counters. @throws AggregateError after running the other statements */
export const sweep = (db: Database, project: SupabaseProject): Promise<void> =>
  runEach(db, [...STATEMENTS, ...statementsOf(project)]);
