import { expect } from 'vitest';
import { DatabaseError } from '../../packages/backend/database/database.ts';
import { type Actor, admin, creator, guest, ids, otherUser, submitter, theService, userActor } from './actors.ts';
import { editor, plant } from './editors.ts';
import { type ActorStatements, GRANT, onStage, type Scene } from './stage.ts';

const FILE = '0f0f0f0f-0000-4000-8000-000000000001';
const UNPROVEN = 'fac70000-0000-4000-8000-000000000001';

/** `user` has lost the role admin; `unproven` is an admin without the required second factor. */
const ROLES: Record<string, Actor> = {
  guest,
  submitter,
  user: otherUser,
  creator,
  unproven: userActor(UNPROVEN),
  editor,
  admin,
  service: theService,
};

const OTHERS = 'guest submitter user creator unproven';
const TEAM = 'editor admin';
const STAFF = `${TEAM} service`;
const CLIENTS = `${OTHERS} ${TEAM}`;
const ALL = `${CLIENTS} service`;
const USERS = 'user creator unproven editor admin';
const WRITERS = 'creator editor admin service';

/** Rights and the roles that have them. "some": not every row. */
type Rights = Record<string, string>;

const TABLES: Record<string, Rights> = {
  audit_log: { read: 'admin service' },
  case_study_metadata: { some: OTHERS, read: STAFF, insert: 'user editor admin service', update: STAFF, delete: STAFF },
  contact_messages: { read: TEAM, update: TEAM, delete: TEAM },
  draft_comments: { read: TEAM },
  featured_experiments: { read: ALL },
  mail_preferences: { read: 'admin', insert: 'admin', update: 'admin' },
  media_files: { read: STAFF },
  page_redirects: { read: STAFF },
  page_versions: { read: STAFF },
  pages: { read: STAFF },
  planned_changes: { read: STAFF },
  profiles: { some: 'user creator unproven editor', read: 'admin service' },
  project_budgets: { read: STAFF, delete: STAFF },
  project_media: { some: OTHERS, read: STAFF, insert: WRITERS, update: STAFF, delete: STAFF },
  project_members: { some: OTHERS, read: STAFF, insert: STAFF, update: STAFF, delete: STAFF },
  project_versions: { read: STAFF },
  projects: { some: OTHERS, read: STAFF, insert: ALL, update: STAFF, delete: STAFF },
  reading_counts: { read: TEAM },
  reply_templates: { read: TEAM, insert: 'admin', update: 'admin', delete: 'admin' },
  review_contacts: { read: TEAM },
  review_notes: { read: TEAM, insert: TEAM },
  review_steps: { read: TEAM },
  reviews: { read: TEAM, update: TEAM },
  roles: { read: `${USERS} service`, insert: 'admin service', update: 'service', delete: 'service' },
  settings_history: { read: 'admin' },
  site_pages: { read: ALL, insert: 'admin service', update: 'admin service', delete: 'admin service' },
  site_settings: { read: ALL, insert: 'admin service', update: 'admin service', delete: 'admin service' },
  split_payments: { read: 'admin' },
  split_shares: { read: 'admin' },
  split_sheets: { read: 'admin', insert: 'admin', update: 'admin', delete: 'admin' },
  split_statements: { read: 'admin' },
  user_roles: { some: 'creator unproven', read: STAFF, insert: 'admin service', delete: 'admin service' },
  webhook_deliveries: { read: 'admin' },
  webhooks: { read: 'admin', insert: 'admin', update: 'admin', delete: 'admin' },
};
const STATEMENT = '(select split_statements from split_statements where id = $1)';
const LINK = '(select id from draft_links($1) limit 1)';
/** Each procedure with arguments that change little, and who may call it. */
const CALLS: Record<string, [args: string, allowed: string]> = {
  'add_to_library(p_name, p_file_name, p_bucket)': [`'images/x.png', 'x.png'`, TEAM],
  'admin_needs_second_factor()': ['', ''],
  'admin_overview()': ['', TEAM],
  'answer_review(p_project, p_answer, p_words, p_mail, p_seen)': [`$1, 'reopen', null, false, null`, TEAM],
  'approve_draft(p_project, p_version)': [`$1, 'x'`, ''],
  'assign_admin_role(admin_email)': [`'terry@example.com'`, 'admin service'],
  'begin_archive_download()': ['', 'admin'],
  'begin_cleanup()': ['', 'admin'],
  'can_edit_content()': ['', TEAM],
  'change_draft_link(p_link, p_name, p_until)': [`${LINK}, 'x', now() + interval '1 day'`, 'creator editor admin'],
  'check_setup_key(setup_key, actor, kind)': ['null', ''],
  'choose_cover(p_id, p_media)': ['$1, null', STAFF],
  'claim_draft(p_project)': ['$1', ''],
  'cleanup_overview()': ['', 'admin service'],
  'comment_on_draft(p_project, p_body, p_place, p_parent, p_id)': [`$1, 'x', p_parent => gen_random_uuid()`, TEAM],
  'count_case_studies(words)': [`''`, ALL],
  'count_projects(p_words, p_status, p_turn)': ['', STAFF],
  'count_results()': ['', ALL],
  'count_reviews(p_turn, p_assignee)': ['', STAFF],
  'create_case_study(title, description, client, status, submitter_id)': [`'x'`, ALL],
  'create_page(title, path)': [`'Team', '/team'`, TEAM],
  'current_caller()': ['', ALL],
  'delete_account(p_typed)': [`'x'`, 'admin'],
  'delete_draft_comment(p_comment)': ['gen_random_uuid()', TEAM],
  'delete_media_files(p_ids)': [`'{}'`, TEAM],
  'delete_page(page)': ['$1', TEAM],
  'describe_media_files(p_changes)': [`'[]'`, TEAM],
  'discard_revision(p_id, p_staged)': ['$1, null', STAFF],
  'draft_links(p_project)': ['$1', 'creator editor admin'],
  'draft_opened()': ['', CLIENTS],
  'draft_room(p_project)': ['$1', CLIENTS],
  'draft_states(p_projects)': ['array[$1::uuid]', 'creator'],
  'feature_experiments(p_ids)': [`'{}'`, STAFF],
  'file_project(p_id, p_category, p_tags, p_seen)': [`$1, 'ai', '{}'`, STAFF],
  'find_projects(p_words, p_status, p_sort, p_skip, p_take, p_turn)': ['', STAFF],
  'get_case_study_metadata(p_id)': ['$1', WRITERS],
  'get_guest_user_id()': ['', ALL],
  'health_report()': ['', 'admin service'],
  'home_experiments()': ['', ALL],
  'instalments(p_statement)': [STATEMENT, USERS],
  'is_admin()': ['', 'admin'],
  'issue_split_sheet(p_sheet, p_seen, p_issue)': [`$1, now(), '{}'`, 'admin'],
  'leave_contact(p_project, p_email)': [`$1, 'a@example.com'`, 'creator'],
  'list_media(words, kind, state, before, take)': ['', TEAM],
  'list_trash(words, kind, skip, take)': ['', TEAM],
  'live_pages()': ['', ALL],
  'mail_draft_link(p_project)': ['$1', TEAM],
  'make_draft_link(p_project, p_name, p_until)': [`$1, 'x', now() + interval '1 day'`, 'creator editor admin'],
  'mark_instalment(p_statement, p_place, p_paid_on)': ['$1, 1, null', 'admin'],
  'move_page(page, path)': [`$1, '/team'`, TEAM],
  'neighbours(p_project)': ['(select projects from projects where id = $1)', ALL],
  'open_comments(p_project)': ['(select projects from projects where id = $1)', USERS],
  'own_data()': ['', 'admin'],
  'own_earnings()': ['', ''],
  'plan_change(p_kind, p_at, p_project, p_page)': [`'publish', now() + interval '1 day', $1`, STAFF],
  'project_enquiry(p_id)': ['$1', TEAM],
  'project_revision(p_id)': ['$1', CLIENTS],
  'publish_page(page, seen)': ['$1, 1', TEAM],
  'publish_revision(p_id, p_staged)': ['$1, now()', STAFF],
  'read_log(who, what, outcome, since, until, words, before, take)': ['', 'admin'],
  'read_log_changes(p_line)': ['1', 'admin'],
  'reading_report(p_days)': ['30', TEAM],
  'record_act(actor, action, object, outcome, reason, kind)': [`null, 'x', 'x', 'done'`, 'service'],
  'record_reading(p_page, p_marks)': [`'/about', '{visit}'`, CLIENTS],
  'redeliver_webhook(p_delivery)': ['gen_random_uuid()', 'admin'],
  'renew_webhook_secret(p_webhook)': ['gen_random_uuid()', 'admin'],
  'reorder_project_media(p_id, p_ids)': [`$1, '{}'`, STAFF],
  'replace_draft_media(p_project, p_media)': [`$1, '[]'`, 'creator'],
  'replace_media_file(p_id, p_by)': ['$1, $1', TEAM],
  'replaced_by(p_statement)': [STATEMENT, USERS],
  'resolve_draft_comment(p_comment, p_resolved)': ['gen_random_uuid(), true', 'submitter editor admin'],
  'restore_cleanup(cleanup_id)': ['$1', 'admin service'],
  'restore_draft_comments(p_ids)': [`'{}'`, TEAM],
  'restore_from_trash(projects, media)': ['', TEAM],
  'restore_media_files(p_ids)': [`'{}'`, TEAM],
  'restore_page(page)': ['$1', TEAM],
  'restore_project_version(p_id, p_number, p_latest)': ['$1, 1, 1', STAFF],
  'review_version(p_project)': ['$1', TEAM],
  'revision_parts(p_plan)': ['null', `${USERS} service`],
  'revoke_draft_link(p_link)': [LINK, 'creator editor admin'],
  'save_case_study_metadata(p_id, p_understanding, p_actions, p_impact)': [`$1, '', '', ''`, WRITERS],
  'save_page_draft(page, content, title, seen)': [`$1, '{}', null, 1`, TEAM],
  'save_project(p_id, p_seen, p_fields, p_description, p_understanding, p_actions, p_impact)': [
    `$1, now(), '{"title": "x"}', null, null, null, null`,
    STAFF,
  ],
  'search_case_studies(words, category, skip, take, made, fact)': [`'', null, 0, 1`, ALL],
  'send_draft_back(p_project, p_title, p_client, p_category, p_tags, p_brief, p_understanding, p_actions, p_impact, p_media, p_words, p_credits)':
    [`$1, 'x', null, null, '{}', 'x', 'x', 'x', 'x', '[]'`, 'creator'],
  'send_message(p_name, p_email, p_message)': [`'A', 'a@example.com', 'x'`, CLIENTS],
  'sitemap_part(part)': ['1', ALL],
  'stage_parts(p_id, p_version, p_staged, p_media, p_team)': ['$1, 0, null', STAFF],
  'stage_project(p_id, p_seen, p_staged, p_publish, p_fields, p_description, p_understanding, p_actions, p_impact)': [
    `$1, now(), null, false, '{}', null, null, null, null`,
    STAFF,
  ],
  'start_project(p_message)': ['gen_random_uuid()', TEAM],
  'started_project(p_message)': ['null', TEAM],
  'test_webhook(p_webhook)': ['gen_random_uuid()', 'admin'],
  'trash_days()': ['', USERS],
  'upload_project(project_id, fields, description, understanding, actions, impact, media, team)': [
    `gen_random_uuid(), '{"title": "x"}'`,
    STAFF,
  ],
};
const BUCKETS: Record<string, [name: string, rights: Rights]> = {
  captions: [`${FILE}.vtt`, { add: STAFF, list: STAFF, replace: STAFF, move: 'service', remove: STAFF }],
  'case-studies': [`images/${FILE}.png`, { add: ALL, list: STAFF, replace: 'service', move: 'service', remove: STAFF }],
  films: [`${FILE}.mp4`, { add: STAFF, list: STAFF, replace: 'service', move: 'service', remove: STAFF }],
  loops: [`${FILE}.mp4`, { add: STAFF, list: STAFF, replace: 'service', move: 'service', remove: STAFF }],
  private: [`${FILE}.txt`, { add: 'service', list: 'service', replace: 'service', move: 'service', remove: 'service' }],
};

const PICTURE = `insert into project_media (project_id, url, alt, made, is_cover)
  values ($1, 'https://pictures.example/cover.png', 'A heron', 'machine', true)`;
const WRITE_TEXTS = `insert into case_study_metadata (project_id, brief, category, tags, credits)
  values ($1, '<p>B</p>', 'ai', '{one,two}', '[{"part": "Idea", "made": "hand"}]')
  on conflict (project_id) do update set brief = excluded.brief, category = excluded.category, credits = excluded.credits`;
const SAVE_TEXTS = `select save_case_study_metadata($1, 'U', 'A', 'I')`;
const OWN_DRAFTS = { draft: 'creator', otherUsersDraft: 'user', guestsDraft: 'submitter' };
const OWN = { published: 'creator', archived: 'creator', draft: 'creator', otherUsersDraft: 'user' };
const PROJECTS = ['published', 'archived', 'draft', 'otherUsersDraft', 'guestsDraft', 'staleDraft'] as const;
/** Who may write rows of a project beside editors, admins and the service, which may all of it. */
const OF_PROJECTS: [text: string, others: Rights][] = [
  [`update projects set title = 'Changed' where id = $1`, {}],
  ['delete from projects where id = $1', OWN],
  [PICTURE, OWN_DRAFTS],
  [`update project_media set title = 'New', alt = '', made = 'together' where project_id = $1`, {}],
  ['delete from project_media where project_id = $1', {}],
  [WRITE_TEXTS, OWN_DRAFTS],
  [SAVE_TEXTS, OWN_DRAFTS],
  [`update case_study_metadata set impact = '<p>New</p>' where project_id = $1`, OWN_DRAFTS],
  ['delete from case_study_metadata where project_id = $1', {}],
  [`insert into project_members (project_id, name, role) values ($1, 'Asha', 'Idea')`, {}],
  ['update project_members set contribution_percentage = 30 where project_id = $1', {}],
  ['delete from project_members where project_id = $1', {}],
];

const INSERTS: Record<string, string> = {
  case_study_metadata: `(project_id) values ('${ids.otherUsersDraft}')`,
  mail_preferences: `(digest) values (true)`,
  project_media: `(project_id, url) values ('${ids.draft}', 'https://pictures.example/x.png')`,
  project_members: `(project_id, name) values ('${ids.draft}', 'Asha')`,
  projects: `(title, status) values ('x', 'active')`,
  reply_templates: `(answer, name, body) values ('ask', 'x', 'x')`,
  review_notes: `(project_id, body) values ('${ids.draft}', 'x')`,
  roles: `(name) values ('x')`,
  site_pages: `(slug, body) values ('terms', '<p>x</p>')`,
  site_settings: `(name, value) values ('x', '1')`,
  split_sheets: `(project_id, plan) values ('${ids.archived}', '{}')`,
  webhooks: `(url, events) values ('https://example.com/hook', '{project.published}')`,
  user_roles: `(user_id, role_id) select '${ids.unconfirmed}', id from roles where name = 'admin'`,
};

/** One more row of every table that the fixtures leave empty, and of a role. */
async function fill({ server }: Scene) {
  for (const text of [
    `delete from case_study_metadata where project_id = '${ids.otherUsersDraft}'`,
    `insert into roles (name) values ('reader')`,
    `insert into site_settings (name, value) values ('phone', '"1"')`,
    `insert into site_pages (slug, body) values ('privacy', '<p>x</p>')`,
    `insert into page_versions (page_id, number, content) select id, 1, '{}' from pages where kind = 'about'`,
    `insert into page_redirects (path, page_id) select '/former', id from pages where kind = 'about'`,
    `insert into project_budgets (project_id, amount) values ('${ids.draft}', 1)`,
    `insert into review_steps (project_id, kind) values ('${ids.draft}', 'link')`,
    `insert into review_notes (project_id, author, body) values ('${ids.draft}', '${ids.creator}', 'x')`,
    `insert into review_contacts (project_id, email) values ('${ids.draft}', 'a@example.com')`,
    `insert into featured_experiments (project_id, place) values ('${ids.published}', 1)`,
    `insert into split_sheets (id, project_id, plan) values ('${FILE}', '${ids.draft}', '{}')`,
    `insert into split_statements (sheet_id, number, name, project_title, currency, amount, payments, terms, issued_at)
     values ('${FILE}', '1-1', 'A', 'x', 'INR', 1, '[]', 'x', now())`,
    `insert into split_shares (sheet_id, cut, words, percent, weight, amount) values ('${FILE}', 'team', 'x', 1, 1, 1)`,
    `insert into split_payments select id, 1, 1, now() from split_statements`,
    `insert into contact_messages (name, email, message) values ('A', 'a@example.com', 'x')`,
    `insert into reading_counts (day, page, mark) values (now(), '/about', 'visit')`,
    `insert into media_files (bucket_id, name) values ('films', '${FILE}.mp4')`,
    `insert into draft_comments (project_id, link_id, client, body) values ('${ids.draft}', '${FILE}', 'Ravi', 'x')`,
    `insert into planned_changes (kind, project_id, due_at) values ('publish', '${ids.draft}', now())`,
    `insert into mail_preferences (user_id) values ('${ids.admin}')`,
    `insert into webhooks (id, url, events) values ('${FILE}', 'https://example.com/', '{project.published}')`,
    `insert into webhook_deliveries (webhook_id, event, data, gives_up_at) values ('${FILE}', 'x', '{}', now())`,
    `insert into audit_log (actor_kind, action, outcome) values ('server', 'x', 'done')`,
  ])
    await server.query(text);
  await server.query(GRANT, [ids.creator, 'reader']);
}

async function plantRoles(scene: Scene) {
  const { as, server } = scene;
  await plant(scene);
  await as(admin).write(GRANT, [ids.otherUser, 'admin']);
  await as(admin).write('delete from user_roles where user_id = $1', [ids.otherUser]);
  const ADD_UNPROVEN = `insert into auth.users (id, email, email_confirmed_at) values ($1, 'unproven@example.com', now())`;
  await server.query(ADD_UNPROVEN, [UNPROVEN]);
  await server.query(GRANT, [UNPROVEN, 'admin']);
  const ADD_FACTOR = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
    values (gen_random_uuid(), $1, 'totp', 'verified', 'x', now(), now())`;
  await server.query(ADD_FACTOR, [UNPROVEN]);
}

type Probe = (actor: ActorStatements) => Promise<string | boolean>;

/** Tries `probe` as each role and undoes it. @returns the rights that it found, with the roles that have them */
async function rightsOf({ as, server }: Scene, right: string, probe: Probe) {
  const rights: Record<string, string[]> = {};
  for (const [role, actor] of Object.entries(ROLES)) {
    await server.query('savepoint before');
    const found = await probe(as(actor)).catch((error) => {
      // Keys and the procedures' own refusals are checked after the role.
      if (!(error instanceof DatabaseError && /^(42501|2350[35]|PT4\d\d)$/.test(error.code))) throw error;
      return error.code !== '42501';
    });
    const name = found === true ? right : found;
    if (name) rights[name] = [...(rights[name] ?? []), role];
    await server.query('rollback to savepoint before');
  }
  return Object.fromEntries(Object.entries(rights).map(([name, roles]) => [name, roles.join(' ')]));
}
const changes =
  (text: string, values: string[] = []) =>
  (actor: ActorStatements) =>
    actor.write(text, values).then((rows) => rows > 0);

export const rights = onStage('rights of every role', ({ test }) => {
  test('in tables: no other reads and writes (TM-16, PERM-12, LEGAL-01, ASET-01)', async ({ scene, server }) => {
    await plantRoles(scene);
    await fill(scene);
    const EACH_TABLE = `select relname as name, (
        select quote_ident(coalesce(min(column_name::text) filter (where privilege_type = 'UPDATE'), min(column_name::text)))
        from information_schema.column_privileges
        where table_schema = 'public' and table_name = relname and grantee = 'authenticated'
      ) as column
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;
    const tables = await server.rows<{ name: string; column: string }>(EACH_TABLE);
    const found: typeof TABLES = {};
    for (const { name, column } of tables) {
      const NEWEST = `select ctid::text as row, count(*) over () ::integer as total from public.${name} order by ctid desc limit 1`;
      const [{ row, total } = { row: '', total: 0 }] = await server.rows<{ row: string; total: number }>(NEWEST);
      found[name] = {
        ...(await rightsOf(scene, 'read', async (actor) => {
          const seen = await actor.value<number>(`select count(*)::integer from ${name}`);
          return seen === total || (seen > 0 && 'some');
        })),
        ...(await rightsOf(scene, 'insert', changes(`insert into ${name} ${INSERTS[name] ?? 'default values'}`))),
        ...(await rightsOf(scene, 'update', changes(`update ${name} set ${column} = ${column} where ctid = '${row}'`))),
        ...(await rightsOf(scene, 'delete', changes(`delete from ${name} where ctid = '${row}'`))),
      };
    }
    expect(found).toEqual(TABLES);
  });

  test('in rows of a project, by its state and submitter (PERM-02..04, DATA-04, DATA-06, GATE-14, SUBMIT-43)', async (scene) => {
    await plantRoles(scene);
    for (const [text, others] of OF_PROJECTS) {
      const found: Rights = {};
      for (const project of PROJECTS) {
        const values = [ids[project]];
        const saves: Probe = (actor) => actor.rows(text, values).then(() => true);
        Object.assign(found, await rightsOf(scene, project, text === SAVE_TEXTS ? saves : changes(text, values)));
      }
      const both = PROJECTS.map((project) => [project, [others[project] ?? [], STAFF].flat().join(' ')]);
      expect(found, text).toEqual(Object.fromEntries(both));
    }
  });

  test('in procedures, by the names that clients use: no other calls (TM-23)', async ({ scene, server }) => {
    await plantRoles(scene);
    await server.query(`insert into private.draft_secrets (hash, project_id) values ('\\x00', $1)`, [ids.draft]);
    const EACH_PROCEDURE = `select proname as name, proname || '(' || coalesce(array_to_string(proargnames[1:pronargs], ', '), '') || ')' as call
      from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
        and (has_function_privilege('authenticated', oid, 'execute') or has_function_privilege('service_role', oid, 'execute'))
      order by 1`;
    const procedures = await server.rows<{ name: string; call: string }>(EACH_PROCEDURE);
    const found: typeof CALLS = {};
    for (const { name, call } of procedures) {
      const args = CALLS[call]?.[0] ?? '';
      const { call: allowed = '' } = await rightsOf(scene, 'call', async (actor) => {
        const values = args.includes('$1') ? [ids.draft] : [];
        const { answer, status } = await actor.call(`select ${name}(${args})::text as answer`, values);
        const isClosed = [undefined, 'false', '{"admin": false}'].includes(answer as string);
        return status !== '403' && !isClosed && !(answer === null && name === 'review_version');
      });
      found[call] = [args, allowed];
    }
    expect(found).toEqual(CALLS);
  });

  test('in buckets: no other files (TM-34)', async ({ scene, server }) => {
    await plantRoles(scene);
    const found: typeof BUCKETS = {};
    for (const id of await server.column<string>('select id from storage.buckets order by 1')) {
      const name = BUCKETS[id]?.[0] ?? `${FILE}.txt`;
      const add = `insert into storage.objects (bucket_id, name) values ('${id}', '${name}')`;
      const rights = await rightsOf(scene, 'add', changes(add));
      await server.query(add);
      const lists: Probe = async (actor) => (await actor.rows('select from storage.objects')).length > 0;
      Object.assign(rights, await rightsOf(scene, 'list', lists));
      Object.assign(rights, await rightsOf(scene, 'replace', changes(`update storage.objects set version = '2'`)));
      const moves = changes(`update storage.objects set name = 'images/moved.png'`);
      Object.assign(rights, await rightsOf(scene, 'move', moves));
      Object.assign(rights, await rightsOf(scene, 'remove', changes('delete from storage.objects')));
      found[id] = [name, rights];
      await server.query(`set local storage.allow_delete_query = 'true'`);
      await server.query('delete from storage.objects');
    }
    expect(found).toEqual(BUCKETS);
  });
});
