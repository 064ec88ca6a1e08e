import { expect, it } from 'vitest';
import { fieldsOfKind } from '../../app/features/projects/model/fields.ts';
import { DatabaseError } from '../../packages/backend/database/database.ts';
import { type Actor, guest, ids, otherUser, submitter, withSecret } from './actors.ts';
import { type ActorStatements, onStage } from './stage.ts';

const QUESTIONS = [
  'select * from projects where id = $1',
  'select count(*) from projects where id = $1',
  'select * from project_media where project_id = $1',
  'select * from case_study_metadata where project_id = $1',
  'select * from project_members where project_id = $1',
  'select * from get_case_study_metadata(p_id => $1)',
  'select neighbours(projects) from projects where id = $1',
  `select save_case_study_metadata(p_id => $1, p_understanding => '', p_actions => '', p_impact => '')`,
  `update projects set title = 'x' where id = $1`,
  'delete from projects where id = $1',
  `update project_media set title = 'x' where project_id = $1`,
  'delete from project_media where project_id = $1',
  `update case_study_metadata set brief = 'x' where project_id = $1`,
  'delete from case_study_metadata where project_id = $1',
  `update project_members set role = 'x' where project_id = $1`,
  `insert into projects (id, title) values ($1, 'x')`,
  `insert into project_media (project_id, url) values ($1, 'https://pictures.example/x.png')`,
  `insert into project_media (project_id, url, title) values ($1, 'not an address', repeat('x', 600))`,
  'insert into case_study_metadata (project_id) values ($1)',
  `insert into case_study_metadata (project_id, category) values ($1, 'nonsense')`,
  'insert into case_study_metadata (project_id) values ($1) on conflict do nothing',
  `insert into case_study_metadata (project_id) values ($1) on conflict (project_id) do update set brief = 'x'`,
  'insert into project_members (project_id) values ($1)',
  'select * from project_versions where project_id = $1',
  `select reorder_project_media($1, '{}')`,
  'select choose_cover($1, null)',
  'select restore_project_version($1, 1, 1)',
  `select save_project($1, now(), '{"title": "x"}', null, null, null, null)`,
  `select file_project($1, 'ai', '{}')`,
  'select * from reviews where project_id = $1',
  'select * from review_notes where project_id = $1',
  'select count(*) from review_steps where project_id = $1',
  'select * from draft_states(p_projects => array[$1::uuid])',
  'select * from draft_links(p_project => $1)',
  `select leave_contact(p_project => $1, p_email => 'me@example.com')`,
  `select leave_contact(p_project => $1, p_email => 'nonsense')`,
  `select make_draft_link(p_project => $1, p_name => 'Mine', p_until => now() + interval '1 day')`,
  `select make_draft_link(p_project => $1, p_name => '', p_until => null)`,
  `select send_draft_back(p_project => $1, p_title => 'x', p_client => null, p_category => null, p_tags => '{}', p_brief => 'x',
    p_understanding => 'x', p_actions => 'x', p_impact => 'x', p_media => '[]')`,
  `select replace_draft_media(p_project => $1, p_media => '[]')`,
  'select review_version(p_project => $1)',
  'select claim_draft(p_project => $1)',
  'select project_enquiry(p_id => $1)',
];

export const closedByDefault = onStage('closed by default', (stage) => {
  const { test } = stage;
  const readById = (statementsOf: ActorStatements, text: string, id: string) =>
    statementsOf.rows(text, [id]).then(
      (rows) => JSON.stringify(rows),
      (error) => {
        if (!(error instanceof DatabaseError)) throw error;
        const { code, message, detail, hint, constraint } = error;
        return JSON.stringify({ code, message, detail, hint, constraint });
      },
    );

  it.each<[string, Actor, string]>([
    ['a guest', guest, ids.guestsDraft],
    ['a guest with another draft’s secret', submitter, ids.draft],
    ['a guest with a malformed secret', withSecret('null'), ids.guestsDraft],
    ['another user', otherUser, ids.draft],
    ['another user requesting a guest’s draft', otherUser, ids.guestsDraft],
  ])('%s receives the same response for a hidden and a missing project (TM-20, DETAIL-17)', (_, actor, hidden) =>
    stage.play(async ({ as, server }) => {
      expect(await server.rows('select from public.projects where id = $1', [hidden])).toHaveLength(1); // the row exists
      for (const text of QUESTIONS)
        expect(await readById(as(actor), text, hidden), text).toBe(await readById(as(actor), text, ids.missing));
    }),
  );

  it('row-level security is forced on every table, for its owner too (TM-16)', async () => {
    const UNFORCED = `select relname from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'storage') and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`;
    expect(await stage.server.rows(UNFORCED)).toEqual([]);
  });

  it('no policy is unconditionally true, except for public data', async () => {
    const policies = await stage.server.column(`select tablename || ': ' || cmd from pg_policies
     where schemaname in ('public', 'storage') and ('true' in (qual, with_check)) order by 1`);
    expect(policies).toEqual(['roles: SELECT', 'site_pages: SELECT', 'site_settings: SELECT']);
  });

  it('accounts, secrets, keys and the ledger are closed to every role, the service included', async () => {
    const OPEN = `select nspname, relname, rolname from pg_class join pg_namespace n on n.oid = relnamespace, pg_roles r
      where nspname in ('auth', 'private', 'supabase_migrations') and relkind in ('r', 'p', 'v')
        and rolname in ('anon', 'authenticated', 'service_role')
        and has_any_column_privilege(rolname, pg_class.oid, 'select, insert, update, references')`;
    expect(await stage.server.rows(OPEN)).toEqual([]);
  });

  it('guests and users have grants on exactly these columns (TM-17)', async () => {
    const project = ['created_by', ...fieldsOfKind('line', 'status', 'money', 'flag', 'day', 'html', 'facts')];
    const granted = await stage.server.column(
      `select table_name || '(' || columns || '): ' || string_agg(grantee || ' ' || privilege, ', ' order by grantee, privilege)
       from (
         select table_name, grantee, lower(privilege_type) as privilege, string_agg(column_name, ' ' order by column_name) as columns,
           count(*) as number
         from information_schema.column_privileges where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC')
         group by 1, 2, 3
         union all
         select table_name, grantee, lower(privilege_type), '', 0 from information_schema.table_privileges
         where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC')
           and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
       ) granted
       where privilege <> 'select' or number < (
         select count(*) from information_schema.columns c where c.table_schema = 'public' and c.table_name = granted.table_name)
       group by table_name, columns order by 1`,
    );
    expect(granted).toEqual(
      [
        'case_study_metadata(actions brief category credits impact project_id tags understanding): anon insert, anon update, authenticated insert, authenticated update',
        'contact_messages(handled): authenticated update',
        'mail_preferences(comments digest messages schedules submissions): authenticated insert, authenticated update',
        'project_media(alt description id is_cover made order poster project_id title type url): anon insert, authenticated insert',
        'project_media(alt description id made order poster project_id title type url): authenticated update',
        'project_members(contribution_percentage created_at name project_id role user_id): authenticated insert',
        'project_members(contribution_percentage name role user_id): authenticated update',
        `projects(${project.sort().join(' ')}): authenticated insert, authenticated update`,
        'projects(actions client created_by description impact status title understanding): anon insert',
        'reply_templates(answer body name): authenticated insert, authenticated update',
        'review_notes(body project_id): authenticated insert',
        'reviews(assignee client_agreed rights_cleared): authenticated update',
        'roles(name): authenticated insert',
        'site_pages(body slug): authenticated insert, authenticated update',
        'site_settings(name value): authenticated insert, authenticated update',
        'split_sheets(plan): authenticated update',
        'split_sheets(plan project_id replaces): authenticated insert',
        'user_roles(role_id user_id): authenticated insert',
        'webhooks(active events url): authenticated update',
        'webhooks(events url): authenticated insert',
        'project_versions(actor actor_kind at changed content number project_id restored_from): authenticated select',
      ].sort(),
    );
  });

  test('clients cannot name private objects', async ({ as }) => {
    for (const actor of [guest, otherUser])
      for (const text of [
        'select * from private.draft_secrets',
        'select private.readable_draft()',
        `select private.set_setup_key(repeat('0', 64))`,
        'select * from auth.users',
        `select auth.check_session(null, null)`,
      ])
        await as(actor).refused('42501', text);
  });

  it('every security definer function has a fixed search path', async () => {
    const WITHOUT_PATH = `select proname from pg_proc where prosecdef and pronamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace)
      and not coalesce('search_path=""' = any (proconfig), false)`;
    expect(await stage.server.rows(WITHOUT_PATH)).toEqual([]);
  });

  it('every change to public data sends a notification', async () => {
    const SILENT = `select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and has_any_column_privilege('anon', oid, 'select')
      and exists (select from pg_policies where schemaname = 'public' and tablename = relname and cmd in ('SELECT', 'ALL') and roles && '{anon,public}')
      and not exists (select from pg_trigger t join pg_proc p on p.oid = tgfoid where tgrelid = c.oid and proname = 'site_changed')`;
    expect(await stage.server.rows(SILENT)).toEqual([]);
  });

  it('the guest account cannot sign in: banned, without password, address or identity', async () => {
    const GUEST = `select banned_until > now() + interval '100 years' as banned, encrypted_password, email,
      (select count(*) from auth.identities where user_id = u.id) as identities from auth.users u where id = public.get_guest_user_id()`;
    const closed = { banned: true, encrypted_password: null, email: null, identities: 0 };
    expect(await stage.server.rows(GUEST)).toEqual([closed]);
  });
});
