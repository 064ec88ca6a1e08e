import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { folderForTests } from '../../../../tests/operator/folder-for-tests.ts';
import { sweep } from '../../auth/index.ts';
import { readProject } from '../../config/supabase-config.ts';
import { deleteExpired } from '../../jobs/retention.ts';
import { openAuthServer, PASSWORD, signedUp, WIDE } from './auth-server.ts';

/** Records of failed attempts and of known addresses. */
const SOURCES: Record<string, string> = {
  guesses: "auth.attempts where not starts_with(subject, 'place:')",
  places: "auth.attempts where starts_with(subject, 'place:')",
};
const CHALLENGE = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' };

const folder = folderForTests();
const projectOf = async (settings: string) => {
  await writeFile(join(folder, 'config.toml'), settings);
  return readProject(folder);
};
const project = await projectOf('');
const TOTP = '[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true\n';
const server = forAllTests(() => openAuthServer(`${WIDE}[auth]\nenable_anonymous_sign_ins = true\n${TOTP}`));

const count = async (table: string) => (await server.rows(`select from ${SOURCES[table] ?? `auth.${table}`}`)).length;
const counts = (...tables: string[]) => Promise.all(tables.map(count));
const countsAfterSweep = async (by: typeof project, ...tables: string[]) => {
  await sweep(server.db, by);
  return counts(...tables);
};
const later = (sql: string) => server.db.script(sql);

it('the sweep deletes expired rows, and keeps those that are still needed', async () => {
  const { client, email } = await signedUp(server);
  for (let refreshed = 0; refreshed < 3; refreshed++) await client.refreshSession();
  await server.client().signInWithPassword({ email, password: PASSWORD });
  await server.client().signInWithPassword({ email, password: 'wrong' });
  await client.resetPasswordForEmail(email);
  await server.settled();
  const tables = ['sessions', 'refresh_tokens', 'one_time_tokens', 'guesses', 'places'];
  const before = await counts(...tables);
  expect(before).toEqual([2, 5, 1, 1, 1]);
  expect(await countsAfterSweep(project, ...tables)).toEqual(before);

  await later(`
    update auth.refresh_tokens set updated_at = now() - interval '31 days';
    update auth.one_time_tokens set expires_at = now() - interval '25 hours';
    update auth.attempts set last_failed_at = now() - interval '25 hours'`);
  // Of the first session's four tokens, the active one and its parent are kept.
  expect(await countsAfterSweep(project, ...tables)).toEqual([2, 3, 0, 0, 1]);
  await later("update auth.attempts set last_failed_at = now() - interval '31 days'");
  expect(await countsAfterSweep(project, 'places')).toEqual([0]);
  expect((await client.refreshSession()).error).toBeNull();

  await later("update auth.sessions set created_at = now() - interval '181 days', refreshed_at = null");
  expect(await countsAfterSweep(project, 'sessions')).toEqual([0]);
});

it('the sweep deletes sessions by time box and inactivity, a day after they ended', async () => {
  const boxed = await projectOf('[auth.sessions]\ntimebox = "24h"\n');
  const idle = await projectOf('[auth.sessions]\ninactivity_timeout = "1h"\n');
  await signedUp(server);
  await later(`update auth.sessions
    set created_at = now() - interval '47 hours', refreshed_at = now() - interval '24 hours'`);
  await sweep(server.db, project);
  await sweep(server.db, boxed);
  expect(await countsAfterSweep(idle, 'sessions')).toEqual([1]);
  await later("update auth.sessions set created_at = now() - interval '49 hours'");
  expect(await countsAfterSweep(idle, 'sessions')).toEqual([1]);
  expect(await countsAfterSweep(boxed, 'sessions')).toEqual([0]);

  await signedUp(server);
  await later(`update auth.sessions
    set created_at = now() - interval '60 days', refreshed_at = now() - interval '26 hours'`);
  expect(await countsAfterSweep(project, 'sessions')).toEqual([1]);
  expect(await countsAfterSweep(idle, 'sessions')).toEqual([0]);
});

it('the sweep deletes unfinished sign-ins: flows, challenges and unverified factors, a flow not before its e-mail', async () => {
  const { client, email } = await signedUp(server);
  await client.mfa.challenge({ factorId: (await client.mfa.enroll({ factorType: 'totp' })).data!.id });
  await server.call('/recover', { json: { email, ...CHALLENGE } });
  await server.settled();
  await later(`insert into auth.flow_state (provider_type, authentication_method, referrer) values ('google', 'oauth', '');
    update auth.flow_state set created_at = now() - interval '2 hours';
    update auth.mfa_challenges set created_at = now() - interval '2 hours'`);
  expect(await counts('flow_state', 'mfa_challenges', 'mfa_factors')).toEqual([2, 1, 1]);
  expect(await countsAfterSweep(project, 'flow_state', 'mfa_challenges', 'mfa_factors')).toEqual([1, 0, 1]);
  await later(`update auth.one_time_tokens set expires_at = now() - interval '25 hours';
    update auth.mfa_factors set created_at = now() - interval '25 hours'`);
  expect(await countsAfterSweep(project, 'flow_state', 'mfa_challenges', 'mfa_factors')).toEqual([0, 0, 0]);
});

it('the sweep keeps anonymous accounts unless the project sets a number of days', async () => {
  const anonymous = async () => (await server.client().signInAnonymously()).data.user!.id;
  const [unused, used, fresh] = [await anonymous(), await anonymous(), await anonymous()];
  const { id: person } = await signedUp(server);
  const age = "update auth.users set created_at = now() - interval '40 days' where id = any ($1::uuid[])";
  await server.db.query(age, [[unused, used, person]]);
  const ageSessions = `update auth.sessions set created_at = now() - interval '40 days',
    refreshed_at = case when user_id = $1 then now() - interval '2 days' end where user_id in ($1, $2)`;
  await server.db.query(ageSessions, [used, unused]);
  const all = [unused, used, fresh, person].sort();
  const left = async () => {
    const rows = await server.rows<{ id: string }>('select id from auth.users where id = any ($1::uuid[])', all);
    return rows.map(({ id }) => id).sort();
  };
  await sweep(server.db, project);
  expect(await left()).toEqual(all);
  await sweep(server.db, await projectOf('[auth]\nkeep_anonymous_days = 30\n'));
  expect(await left()).toEqual([used, fresh, person].sort());
});

it('the sweep continues when one table fails', async () => {
  await later(`create function public.refuse_here() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse_here before delete on auth.one_time_tokens for each row execute function public.refuse_here()`);
  const { email } = await signedUp(server);
  await server.client().resetPasswordForEmail(email);
  await server.client().signInWithPassword({ email, password: 'wrong' });
  await server.settled();
  await later(`update auth.one_time_tokens set expires_at = now() - interval '25 hours';
    update auth.attempts set last_failed_at = now() - interval '25 hours'`);
  await expect(sweep(server.db, project)).rejects.toBeInstanceOf(AggregateError);
  expect(await counts('one_time_tokens', 'guesses')).toEqual([1, 0]);
  await later('drop trigger refuse_here on auth.one_time_tokens; drop function public.refuse_here()');
});

it('the sweep deletes entries of both audit logs after the configured days, and none earlier', async () => {
  await later(`
    delete from auth.audit_log_entries; delete from public.audit_log;
    insert into auth.audit_log_entries (payload, created_at) values ('{}', now() - interval '31 days'), ('{}', now() - interval '29 days');
    insert into public.audit_log (at, actor_kind, action, outcome) values
      (now() - interval '31 days', 'server', 'old', 'done'), (now() - interval '29 days', 'server', 'new', 'done')`);
  await deleteExpired(server.db, 365);
  expect(await count('audit_log_entries')).toBe(2);
  await deleteExpired(server.db, 30);
  expect(await count('audit_log_entries')).toBe(1);
  expect(await server.rows('select action from public.audit_log')).toEqual([{ action: 'new' }]);
});

it('the sweep deletes expired data of the agency, even if one table fails', async () => {
  await later(`
    insert into public.contact_messages (name, email, message, created_at) values
      ('Old', 'old@example.com', 'Hello', now() - interval '731 days'), ('New', 'new@example.com', 'Hello', now());
    insert into private.trash (table_name, entry, deleted_at) values
      ('projects', '{"title": "old"}', now() - interval '31 days'), ('projects', '{"title": "new"}', now());
    create function public.refuse_here() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse_here before delete on public.contact_messages for each row execute function public.refuse_here()`);
  const all = `select name from public.contact_messages union all select 'trash: ' || (entry ->> 'title') from private.trash order by 1`;
  const left = async () => (await server.rows<{ name: string }>(all)).map(({ name }) => name);
  await expect(deleteExpired(server.db, 30)).rejects.toBeInstanceOf(AggregateError);
  expect(await left()).toEqual(['New', 'Old', 'trash: new']);
  await later('drop trigger refuse_here on public.contact_messages; drop function public.refuse_here()');
  await deleteExpired(server.db, 30);
  expect(await left()).toEqual(['New', 'trash: new']);
});

it('the sweep works in a project without the product’s tables', async () => {
  await later('alter schema private rename to elsewhere; alter table public.audit_log rename to another_log');
  await deleteExpired(server.db, 30);
  await later('alter schema elsewhere rename to private; alter table public.another_log rename to audit_log');
});
