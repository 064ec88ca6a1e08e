import { describe, expect, it } from 'vitest';
import { fieldsOfKind } from '../../app/features/projects/model/fields.ts';
import { DatabaseError } from '../../packages/backend/database/database.ts';
import {
  type Actor,
  type ActorStatements,
  admin,
  guest,
  ids,
  otherUser,
  type Stage,
  submitter,
  withSecret,
} from './stage.ts';

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

const DRAFT =
  'p_project, p_title, p_client, p_category, p_tags, p_brief, p_understanding, p_actions, p_impact, p_media, p_words, p_credits';

export const closedByDefault = (stage: Stage) =>
  describe('closed by default', () => {
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
        const { rows } = await server.query('select from public.projects where id = $1', [hidden]);
        expect(rows).toHaveLength(1); // the row exists
        for (const text of QUESTIONS)
          expect(await readById(as(actor), text, hidden), text).toBe(await readById(as(actor), text, ids.missing));
      }),
    );

    it('row-level security is forced on every table, for its owner too (TM-16)', async () => {
      const { rows } = await stage.db.query(
        `select relname from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname in ('public', 'storage') and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`,
      );
      expect(rows).toEqual([]);
    });

    it('no policy is unconditionally true, except for public data', async () => {
      const { rows } = await stage.db.query<{ policy: string }>(
        `select tablename || ': ' || cmd as policy from pg_policies
       where schemaname in ('public', 'storage') and ('true' in (qual, with_check)) order by 1`,
      );
      expect(rows.map(({ policy }) => policy)).toEqual([
        'roles: SELECT',
        'site_pages: SELECT',
        'site_settings: SELECT',
      ]);
    });

    it('accounts, secrets, keys and the ledger are closed to every role, the service included', async () => {
      const { rows } = await stage.db.query(
        `select nspname, relname, rolname from pg_class join pg_namespace n on n.oid = relnamespace, pg_roles r
       where nspname in ('auth', 'private', 'supabase_migrations') and relkind in ('r', 'p', 'v')
         and rolname in ('anon', 'authenticated', 'service_role')
         and has_any_column_privilege(rolname, pg_class.oid, 'select, insert, update, references')`,
      );
      expect(rows).toEqual([]);
    });

    it('guests and users have grants on exactly these columns (TM-17)', async () => {
      const { rows } = await stage.db.query<{ role: string; grant: string }>(
        `select grantee as role, table_name || ' ' || privilege_type || case when count(*) < (
          select count(*) from information_schema.columns c where c.table_schema = 'public' and c.table_name = g.table_name)
         then '(' || string_agg(column_name, ' ' order by column_name) || ')' else '' end as grant
       from information_schema.column_privileges g
       where table_schema = 'public' and grantee in ('anon', 'authenticated') group by grantee, table_name, privilege_type
       union all
       select grantee, table_name || ' ' || privilege_type from information_schema.table_privileges
       where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC')
         and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')`,
      );
      const callsOf = (role: string) =>
        rows
          .filter((row) => row.role === role)
          .map(({ grant }) => grant)
          .sort();
      expect(callsOf('PUBLIC')).toEqual([]);
      expect(callsOf('anon')).toEqual([
        'case_study_metadata INSERT(actions brief category credits impact project_id tags understanding)',
        'case_study_metadata SELECT',
        'case_study_metadata UPDATE(actions brief category credits impact project_id tags understanding)',
        'featured_experiments SELECT',
        'project_media INSERT(alt description id is_cover made order poster project_id title type url)',
        'project_media SELECT',
        'project_members SELECT',
        'projects INSERT(actions client created_by description impact status title understanding)',
        'projects SELECT',
        'roles SELECT',
        'site_pages SELECT',
        'site_settings SELECT',
      ]);
      const project = ['created_by', ...fieldsOfKind('line', 'status', 'money', 'flag', 'day', 'html', 'facts')]
        .sort()
        .join(' ');
      expect(callsOf('authenticated')).toEqual([
        'audit_log SELECT',
        'case_study_metadata DELETE',
        'case_study_metadata INSERT(actions brief category credits impact project_id tags understanding)',
        'case_study_metadata SELECT',
        'case_study_metadata UPDATE(actions brief category credits impact project_id tags understanding)',
        'contact_messages DELETE',
        'contact_messages SELECT',
        'contact_messages UPDATE(handled)',
        'draft_comments SELECT',
        'featured_experiments SELECT',
        'mail_preferences INSERT(comments digest messages schedules submissions)',
        'mail_preferences SELECT',
        'mail_preferences UPDATE(comments digest messages schedules submissions)',
        'media_files SELECT',
        'page_redirects SELECT',
        'page_versions SELECT',
        'pages SELECT',
        'planned_changes SELECT',
        'profiles SELECT',
        'project_budgets DELETE',
        'project_budgets SELECT',
        'project_media DELETE',
        'project_media INSERT(alt description id is_cover made order poster project_id title type url)',
        'project_media SELECT',
        'project_media UPDATE(alt description id made order poster project_id title type url)',
        'project_members DELETE',
        'project_members INSERT(contribution_percentage name project_id role user_id)',
        'project_members SELECT',
        'project_members UPDATE(contribution_percentage name role user_id)',
        'project_versions SELECT(actor actor_kind at changed content number project_id restored_from)',
        'projects DELETE',
        `projects INSERT(${project})`,
        'projects SELECT',
        `projects UPDATE(${project})`,
        'reading_counts SELECT',
        'reply_templates DELETE',
        'reply_templates INSERT(answer body name)',
        'reply_templates SELECT',
        'reply_templates UPDATE(answer body name)',
        'review_contacts SELECT',
        'review_notes DELETE',
        'review_notes INSERT(body project_id)',
        'review_notes SELECT',
        'review_steps SELECT',
        'reviews SELECT',
        'reviews UPDATE(assignee client_agreed rights_cleared)',
        'roles INSERT(name)',
        'roles SELECT',
        'settings_history SELECT',
        'site_pages DELETE',
        'site_pages INSERT(body slug)',
        'site_pages SELECT',
        'site_pages UPDATE(body slug)',
        'site_settings DELETE',
        'site_settings INSERT(name value)',
        'site_settings SELECT',
        'site_settings UPDATE(name value)',
        'split_payments SELECT',
        'split_shares SELECT',
        'split_sheets DELETE',
        'split_sheets INSERT(plan project_id replaces)',
        'split_sheets SELECT',
        'split_sheets UPDATE(plan)',
        'split_statements SELECT',
        'user_roles DELETE',
        'user_roles INSERT(role_id user_id)',
        'user_roles SELECT',
        'webhook_deliveries SELECT',
        'webhooks DELETE',
        'webhooks INSERT(events url)',
        'webhooks SELECT',
        'webhooks UPDATE(active events url)',
      ]);
    });

    it('guests and users can call exactly these procedures, by the names the clients use (TM-23)', async () => {
      const { rows } = await stage.db.query<{ role: string; call: string }>(
        `select rolname as role, proname || '(' || coalesce(array_to_string(proargnames[1:pronargs], ', '), '') || ')' as call
       from pg_proc p, pg_roles r
       where pronamespace = 'public'::regnamespace and rolname in ('anon', 'authenticated', 'service_role')
         and has_function_privilege(rolname, p.oid, 'execute') order by 1, 2`,
      );
      const callsOf = (role: string) => rows.filter((row) => row.role === role).map(({ call }) => call);
      const open = [
        'approve_draft(p_project, p_version)',
        'assign_admin_role(admin_email)',
        'begin_archive_download()',
        'begin_cleanup()',
        'can_edit_content()',
        'change_draft_link(p_link, p_name, p_until)',
        'comment_on_draft(p_project, p_body, p_place, p_parent, p_id)',
        'count_case_studies(words)',
        'count_results()',
        'create_case_study(title, description, client, status, submitter_id)',
        'current_caller()',
        'draft_links(p_project)',
        'draft_opened()',
        'draft_room(p_project)',
        'draft_states(p_projects)',
        'get_case_study_metadata(p_id)',
        'get_guest_user_id()',
        'home_experiments()',
        'is_admin()',
        'leave_contact(p_project, p_email)',
        'live_pages()',
        'make_draft_link(p_project, p_name, p_until)',
        'neighbours(p_project)',
        'project_revision(p_id)',
        'record_reading(p_page, p_marks)',
        'replace_draft_media(p_project, p_media)',
        'resolve_draft_comment(p_comment, p_resolved)',
        'revoke_draft_link(p_link)',
        'save_case_study_metadata(p_id, p_understanding, p_actions, p_impact)',
        'search_case_studies(words, category, skip, take, made, fact)',
        `send_draft_back(${DRAFT})`,
        'send_message(p_name, p_email, p_message)',
        'sitemap_part(part)',
        'trash_days()',
        'upload_project(project_id, fields, description, understanding, actions, impact, media, team)',
      ];
      expect(callsOf('anon')).toEqual(open);
      const forAdmins = [
        'add_to_library(p_name, p_file_name, p_bucket)',
        'admin_needs_second_factor()',
        'admin_overview()',
        'answer_review(p_project, p_answer, p_words, p_mail, p_seen)',
        'choose_cover(p_id, p_media)',
        'claim_draft(p_project)',
        'cleanup_overview()',
        'count_projects(p_words, p_status, p_turn)',
        'count_reviews(p_turn, p_assignee)',
        'create_page(title, path)',
        'delete_account(p_typed)',
        'delete_draft_comment(p_comment)',
        'delete_media_files(p_ids)',
        'delete_page(page)',
        'describe_media_files(p_changes)',
        'discard_revision(p_id, p_staged)',
        'feature_experiments(p_ids)',
        'file_project(p_id, p_category, p_tags)',
        'find_projects(p_words, p_status, p_sort, p_skip, p_take, p_turn)',
        'health_report()',
        'instalments(p_statement)',
        'issue_split_sheet(p_sheet, p_seen, p_issue)',
        'list_media(words, kind, state, before, take)',
        'list_trash(words, kind, skip, take)',
        'mail_draft_link(p_project)',
        'mark_instalment(p_statement, p_place, p_paid_on)',
        'move_page(page, path)',
        'open_comments(p_project)',
        'own_data()',
        'own_earnings()',
        'plan_change(p_kind, p_at, p_project, p_page)',
        'project_enquiry(p_id)',
        'publish_page(page, seen)',
        'publish_revision(p_id, p_staged)',
        'read_log(who, what, outcome, since, until, words, before, take)',
        'read_log_changes(p_line)',
        'reading_report(p_days)',
        'redeliver_webhook(p_delivery)',
        'renew_webhook_secret(p_webhook)',
        'reorder_project_media(p_id, p_ids)',
        'replace_media_file(p_id, p_by)',
        'replaced_by(p_statement)',
        'restore_cleanup(cleanup_id)',
        'restore_draft_comments(p_ids)',
        'restore_from_trash(projects, media)',
        'restore_media_files(p_ids)',
        'restore_page(page)',
        'restore_project_version(p_id, p_number, p_latest)',
        'review_version(p_project)',
        'revision_parts(p_plan)',
        'save_page_draft(page, content, title, seen)',
        'save_project(p_id, p_seen, p_fields, p_description, p_understanding, p_actions, p_impact)',
        'stage_parts(p_id, p_version, p_staged, p_media, p_team)',
        'stage_project(p_id, p_seen, p_staged, p_publish, p_fields, p_description, p_understanding, p_actions, p_impact)',
        'start_project(p_message)',
        'started_project(p_message)',
        'test_webhook(p_webhook)',
      ];
      expect(callsOf('authenticated').filter((call) => !callsOf('anon').includes(call))).toEqual(forAdmins);
      expect(callsOf('service_role').filter((call) => !callsOf('anon').includes(call))).toEqual([
        'check_setup_key(setup_key, actor, kind)',
        'choose_cover(p_id, p_media)',
        'cleanup_overview()',
        'count_projects(p_words, p_status, p_turn)',
        'count_reviews(p_turn, p_assignee)',
        'discard_revision(p_id, p_staged)',
        'feature_experiments(p_ids)',
        'file_project(p_id, p_category, p_tags)',
        'find_projects(p_words, p_status, p_sort, p_skip, p_take, p_turn)',
        'health_report()',
        'plan_change(p_kind, p_at, p_project, p_page)',
        'publish_revision(p_id, p_staged)',
        'record_act(actor, action, object, outcome, reason, kind)',
        'reorder_project_media(p_id, p_ids)',
        'restore_cleanup(cleanup_id)',
        'restore_project_version(p_id, p_number, p_latest)',
        'revision_parts(p_plan)',
        'save_project(p_id, p_seen, p_fields, p_description, p_understanding, p_actions, p_impact)',
        'stage_parts(p_id, p_version, p_staged, p_media, p_team)',
        'stage_project(p_id, p_seen, p_staged, p_publish, p_fields, p_description, p_understanding, p_actions, p_impact)',
      ]);
    });

    it('clients cannot name private objects', () =>
      stage.play(async ({ as }) => {
        for (const actor of [guest, otherUser])
          for (const text of [
            'select * from private.draft_secrets',
            'select private.readable_draft()',
            `select private.set_setup_key(repeat('0', 64))`,
            'select * from auth.users',
            `select auth.check_session(null, null)`,
          ])
            expect(await as(actor).refusal(text)).toBe('42501');
      }));

    it('every security definer function has a fixed search path', async () => {
      const { rows } = await stage.db.query(
        `select proname from pg_proc where prosecdef and pronamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace)
         and not coalesce('search_path=""' = any (proconfig), false)`,
      );
      expect(rows).toEqual([]);
    });

    it('settings and legal texts are readable by everyone and writable by admins alone (LEGAL-01, ASET-01)', () =>
      stage.play(async ({ as }) => {
        const writes = [
          `insert into site_settings (name, value) values ('phone', '"+91"')`,
          `update site_settings set value = '1'`,
          'delete from site_settings',
          `insert into site_pages (slug, body) values ('privacy', '<p>We keep what you send.</p>')`,
          `update site_pages set body = ''`,
          'delete from site_pages',
        ];
        for (const text of writes) expect(await as(guest).refusal(text)).toBe('42501');
        for (const text of writes.filter((text) => text.startsWith('insert'))) {
          expect(await as(otherUser).refusal(text)).toBe('42501');
          expect(await as(admin).write(text)).toBe(1);
        }
        for (const text of writes.filter((text) => !text.startsWith('insert'))) {
          expect(await as(otherUser).write(text)).toBe(0);
          expect(await as(admin).write(text)).toBe(1);
          if (text.startsWith('delete')) continue;
          expect(await as(guest).rows(`select * from ${text.split(' ')[1]}`)).toHaveLength(1);
        }
      }));

    it('every change to public data sends a notification', async () => {
      const { rows } = await stage.db.query(
        `select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and has_any_column_privilege('anon', oid, 'select')
         and exists (select from pg_policies where schemaname = 'public' and tablename = relname and cmd in ('SELECT', 'ALL') and roles && '{anon,public}')
         and not exists (select from pg_trigger t join pg_proc p on p.oid = tgfoid where tgrelid = c.oid and proname = 'site_changed')`,
      );
      expect(rows).toEqual([]);
    });

    it('the guest account cannot sign in: banned, without password, address or identity', async () => {
      const { rows } = await stage.db.query(
        `select banned_until > now() + interval '100 years' as banned, encrypted_password, email,
         (select count(*) from auth.identities where user_id = u.id) as identities from auth.users u where id = public.get_guest_user_id()`,
      );
      expect(rows).toEqual([{ banned: true, encrypted_password: null, email: null, identities: 0 }]);
    });
  });
