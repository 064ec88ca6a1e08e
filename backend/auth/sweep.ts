import type { SupabaseProject } from '../config/supabase-config.ts';
import type { Database } from '../database/database.ts';
import { runEach } from '../schedule.ts';
import { hasEnded } from './sessions/session.ts';

/** What is over and proves nothing any more. Sessions end by themselves only after half a year without a refresh. */
const STATEMENTS = [
  "delete from auth.one_time_tokens where expires_at < now() - interval '1 day'",
  "delete from auth.sessions where greatest(created_at, refreshed_at) < now() - interval '180 days'",
  // The parent of the active token is kept: it may still be presented by a tab that missed the answer.
  `delete from auth.refresh_tokens old where revoked and updated_at < now() - interval '30 days'
     and not exists (select from auth.refresh_tokens active where active.parent = old.token and not active.revoked)`,
  "delete from auth.mfa_challenges where created_at < now() - interval '1 hour'",
  "delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day'",
  // A flow that waits for a mail to be read goes with the mail's link.
  `delete from auth.flow_state flow where created_at < now() - interval '1 hour'
     and not exists (select from auth.one_time_tokens t where t.flow_state_id = flow.id)`,
  "delete from auth.attempts where last_failed_at < now() - interval '1 day' and not starts_with(subject, 'place:')",
  "delete from auth.attempts where last_failed_at < now() - interval '30 days'",
  "delete from auth.saml_relay_states where created_at < now() - interval '1 day'",
  "delete from auth.saml_assertions where expires_at < now() - interval '1 day'",
];

/** What is over by the project's own rules. A session that ended today still says so to whoever refreshes it. */
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

/**
 * Removes old sessions, tokens and counters.
 * @throws AggregateError of what was refused; the rest is done
 */
export const sweep = (db: Database, project: SupabaseProject): Promise<void> =>
  runEach(db, [...STATEMENTS, ...statementsOf(project)]);
