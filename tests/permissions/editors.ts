import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../packages/backend/database/database.ts';
import {
  type Actor,
  admin,
  ids,
  newSecret,
  otherUser,
  type Scene,
  type Stage,
  theService,
  withSecret,
} from './stage.ts';

const EDITOR = 'ed1ed1ed-0000-4000-8000-000000000001';
const editor: Actor = {
  caller: { ...otherUser.caller, claims: { ...otherUser.caller.claims, sub: EDITOR }, userId: EDITOR },
};
const FILE = '0f0f0f0f-0000-4000-8000-000000000001';
const GRANT = `insert into public.user_roles (user_id, role_id) select $1::uuid, id from public.roles where name = $2`;
const HELD = `select string_agg(name, ' ') as held from public.user_roles join public.roles on roles.id = role_id where user_id = $1`;

const ROLES = { editor, admin, user: otherUser };

/** What an editor, an admin and a user may do with rows of others. "some": not every row. */
const TABLES: Record<string, [editor: string, admin: string, user: string]> = {
  audit_log: ['', 'read', ''],
  case_study_metadata: ['read insert update delete', 'read insert update delete', 'some insert'],
  contact_messages: ['read update delete', 'read update delete', ''],
  draft_comments: ['read', 'read', ''],
  featured_experiments: ['read', 'read', 'read'],
  mail_preferences: ['', 'read insert update', ''],
  media_files: ['read', 'read', ''],
  page_redirects: ['read', 'read', ''],
  page_versions: ['read', 'read', ''],
  pages: ['read', 'read', ''],
  planned_changes: ['read', 'read', ''],
  profiles: ['some', 'read', 'some'],
  project_budgets: ['read delete', 'read delete', ''],
  project_media: ['read insert update delete', 'read insert update delete', 'some'],
  project_members: ['read insert update delete', 'read insert update delete', 'some'],
  project_versions: ['read', 'read', ''],
  projects: ['read insert update delete', 'read insert update delete', 'some insert'],
  reading_counts: ['read', 'read', ''],
  reply_templates: ['read', 'read insert update delete', ''],
  review_contacts: ['read', 'read', ''],
  review_notes: ['read insert', 'read insert', ''],
  review_steps: ['read', 'read', ''],
  reviews: ['read update', 'read update', ''],
  roles: ['read', 'read insert', 'read'],
  settings_history: ['', 'read', ''],
  site_pages: ['read', 'read insert update delete', 'read'],
  site_settings: ['read', 'read insert update delete', 'read'],
  split_payments: ['', 'read', ''],
  split_shares: ['', 'read', ''],
  split_sheets: ['', 'read insert update delete', ''],
  split_statements: ['', 'read', ''],
  user_roles: ['read', 'read insert delete', ''],
  webhook_deliveries: ['', 'read', ''],
  webhooks: ['', 'read insert update delete', ''],
};

/** Each procedure with arguments that change little, and who may call it. */
const CALLS: Record<string, [call: string, allowed: string]> = {
  add_to_library: [`'images/x.png', 'x.png'`, 'editor admin'],
  admin_needs_second_factor: ['', ''],
  admin_overview: ['', 'editor admin'],
  approve_draft: [`$1, 'x'`, ''],
  answer_review: [`$1, 'reopen', null, false, null`, 'editor admin'],
  assign_admin_role: [`'terry@example.com'`, 'admin'],
  begin_archive_download: ['', 'admin'],
  begin_cleanup: ['', 'admin'],
  can_edit_content: ['', 'editor admin'],
  change_draft_link: [`(select id from draft_links($1) limit 1), 'x', now() + interval '1 day'`, 'editor admin'],
  choose_cover: ['$1, null', 'editor admin'],
  claim_draft: ['$1', ''],
  comment_on_draft: [`$1, 'x', p_parent => gen_random_uuid()`, 'editor admin'],
  cleanup_overview: ['', 'admin'],
  count_case_studies: [`''`, 'editor admin user'],
  count_projects: ['', 'editor admin'],
  count_results: ['', 'editor admin user'],
  count_reviews: ['', 'editor admin'],
  create_case_study: [`'x'`, 'editor admin user'],
  create_page: [`'Team', '/team'`, 'editor admin'],
  current_caller: ['', 'editor admin user'],
  delete_account: [`'x'`, 'admin'],
  delete_draft_comment: ['gen_random_uuid()', 'editor admin'],
  delete_media_files: [`'{}'`, 'editor admin'],
  delete_page: ['$1', 'editor admin'],
  describe_media_files: [`'[]'`, 'editor admin'],
  discard_revision: ['$1, null', 'editor admin'],
  draft_links: ['$1', 'editor admin'],
  draft_opened: ['', 'editor admin user'],
  draft_room: ['$1', 'editor admin user'],
  draft_states: ['array[$1::uuid]', ''],
  feature_experiments: [`'{}'`, 'editor admin'],
  file_project: [`$1, 'ai', '{}'`, 'editor admin'],
  find_projects: ['', 'editor admin'],
  get_case_study_metadata: ['$1', 'editor admin'],
  get_guest_user_id: ['', 'editor admin user'],
  health_report: ['', 'admin'],
  home_experiments: ['', 'editor admin user'],
  instalments: ['(select split_statements from split_statements where id = $1)', 'editor admin user'],
  is_admin: ['', 'admin'],
  issue_split_sheet: [`$1, now(), '{}'`, 'admin'],
  leave_contact: [`$1, 'a@example.com'`, ''],
  list_media: ['', 'editor admin'],
  list_trash: ['', 'editor admin'],
  live_pages: ['', 'editor admin user'],
  mail_draft_link: ['$1', 'editor admin'],
  make_draft_link: [`$1, 'x', now() + interval '1 day'`, 'editor admin'],
  mark_instalment: ['$1, 1, null', 'admin'],
  move_page: [`$1, '/team'`, 'editor admin'],
  neighbours: ['(select projects from projects where id = $1)', 'editor admin user'],
  open_comments: ['(select projects from projects where id = $1)', 'editor admin user'],
  own_data: ['', 'admin'],
  own_earnings: ['', ''],
  plan_change: [`'publish', now() + interval '1 day', $1`, 'editor admin'],
  project_enquiry: ['$1', 'editor admin'],
  project_revision: ['$1', 'editor admin user'],
  publish_page: ['$1, 1', 'editor admin'],
  publish_revision: ['$1, now()', 'editor admin'],
  read_log: ['', 'admin'],
  read_log_changes: ['1', 'admin'],
  reading_report: ['30', 'editor admin'],
  record_reading: [`'/about', '{visit}'`, 'editor admin user'],
  redeliver_webhook: ['gen_random_uuid()', 'admin'],
  renew_webhook_secret: ['gen_random_uuid()', 'admin'],
  reorder_project_media: [`$1, '{}'`, 'editor admin'],
  replace_media_file: ['$1, $1', 'editor admin'],
  replaced_by: ['(select split_statements from split_statements where id = $1)', 'editor admin user'],
  resolve_draft_comment: ['gen_random_uuid(), true', 'editor admin'],
  restore_cleanup: ['$1', 'admin'],
  restore_draft_comments: [`'{}'`, 'editor admin'],
  restore_from_trash: ['', 'editor admin'],
  restore_media_files: [`'{}'`, 'editor admin'],
  restore_page: ['$1', 'editor admin'],
  replace_draft_media: [`$1, '[]'`, ''],
  restore_project_version: ['$1, 1, 1', 'editor admin'],
  review_version: ['$1', 'editor admin'],
  revision_parts: ['null', 'editor admin user'],
  revoke_draft_link: [`(select id from draft_links($1) limit 1)`, 'editor admin'],
  save_case_study_metadata: [`$1, '', '', ''`, 'editor admin'],
  save_page_draft: [`$1, '{}', null, 1`, 'editor admin'],
  save_project: [`$1, now(), '{"title": "x"}', null, null, null, null`, 'editor admin'],
  search_case_studies: [`'', null, 0, 1`, 'editor admin user'],
  send_draft_back: [`$1, 'x', null, null, '{}', 'x', 'x', 'x', 'x', '[]'`, ''],
  send_message: [`'A', 'a@example.com', 'x'`, 'editor admin user'],
  sitemap_part: ['1', 'editor admin user'],
  stage_parts: ['$1, 0, null', 'editor admin'],
  stage_project: [`$1, now(), null, false, '{}', null, null, null, null`, 'editor admin'],
  start_project: ['gen_random_uuid()', 'editor admin'],
  started_project: ['null', 'editor admin'],
  test_webhook: ['gen_random_uuid()', 'admin'],
  trash_days: ['', 'editor admin user'],
  upload_project: [`gen_random_uuid(), '{"title": "x"}'`, 'editor admin'],
};

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

/** What an editor may do in each bucket, like an admin; "add" alone is what everyone may. */
const BUCKETS: Record<string, [name: string, editor: string, user: string]> = {
  captions: [`${FILE}.vtt`, 'add list replace remove', ''],
  'case-studies': [`images/${FILE}.png`, 'add list remove', 'add'],
  films: [`${FILE}.mp4`, 'add list remove', ''],
  loops: [`${FILE}.mp4`, 'add list remove', ''],
  private: [`${FILE}.txt`, '', ''],
};

async function plant({ server }: Scene) {
  await server.query(
    `insert into auth.users (id, email, email_confirmed_at) values ($1, 'editor@example.com', now())`,
    [EDITOR],
  );
  await server.query(GRANT, [EDITOR, 'editor']);
}

/** One more row of every table that the fixtures leave empty, and of a role. */
async function fill({ server }: Scene) {
  for (const text of [
    `delete from public.case_study_metadata where project_id = '${ids.otherUsersDraft}'`,
    `insert into public.roles (name) values ('reader')`,
    `insert into public.site_settings (name, value) values ('phone', '"1"')`,
    `insert into public.site_pages (slug, body) values ('privacy', '<p>x</p>')`,
    `insert into public.page_versions (page_id, number, content) select id, 1, '{}' from public.pages where kind = 'about'`,
    `insert into public.page_redirects (path, page_id) select '/former', id from public.pages where kind = 'about'`,
    `insert into public.project_budgets (project_id, amount) values ('${ids.draft}', 1)`,
    `insert into public.review_steps (project_id, kind) values ('${ids.draft}', 'link')`,
    `insert into public.review_notes (project_id, author, body) values ('${ids.draft}', '${ids.creator}', 'x')`,
    `insert into public.review_contacts (project_id, email) values ('${ids.draft}', 'a@example.com')`,
    `insert into public.featured_experiments (project_id, place) values ('${ids.published}', 1)`,
    `insert into public.split_sheets (id, project_id, plan) values ('${FILE}', '${ids.draft}', '{}')`,
    `insert into public.split_statements (sheet_id, number, name, project_title, currency, amount, payments, terms, issued_at)
     values ('${FILE}', '1-1', 'A', 'x', 'INR', 1, '[]', 'x', now())`,
    `insert into public.split_shares (sheet_id, cut, words, percent, weight, amount) values ('${FILE}', 'team', 'x', 1, 1, 1)`,
    `insert into public.split_payments select id, 1, 1, now() from public.split_statements`,
    `insert into public.contact_messages (name, email, message) values ('A', 'a@example.com', 'x')`,
    `insert into public.reading_counts (day, page, mark) values (now(), '/about', 'visit')`,
    `insert into public.media_files (bucket_id, name) values ('films', '${FILE}.mp4')`,
    `insert into public.draft_comments (project_id, link_id, client, body) values ('${ids.draft}', '${FILE}', 'Ravi', 'x')`,
    `insert into public.planned_changes (kind, project_id, due_at) values ('publish', '${ids.draft}', now())`,
    `insert into public.mail_preferences (user_id) values ('${ids.admin}')`,
    `insert into public.webhooks (id, url, events) values ('${FILE}', 'https://example.com/', '{project.published}')`,
    `insert into public.webhook_deliveries (webhook_id, event, data, gives_up_at) values ('${FILE}', 'x', '{}', now())`,
    `insert into public.audit_log (actor_kind, action, outcome) values ('server', 'x', 'done')`,
  ])
    await server.query(text);
  await server.query(GRANT, [ids.creator, 'reader']);
}

/** True unless the database refuses the statement; other errors come after the check of the role. */
const isAllowed = (work: Promise<boolean>) =>
  work.catch((error) => {
    if (!(error instanceof DatabaseError)) throw error;
    return error.code !== '42501';
  });

export const editors = (stage: Stage) =>
  describe('editors', () => {
    it('read and write the tables of their subjects, and no others', () =>
      stage.play(async (scene) => {
        await plant(scene);
        await fill(scene);
        const { as, server } = scene;
        const { rows: tables } = await server.query<{ name: string; column: string | null }>(
          `select relname as name, (
             select quote_ident(min(column_name::text)) from information_schema.column_privileges
             where table_schema = 'public' and table_name = relname and grantee = 'authenticated' and privilege_type = 'UPDATE'
           ) as column
           from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
        );
        const found: typeof TABLES = {};
        for (const { name, column } of tables) {
          const { rows } = await server.query<{ row: string; total: number }>(
            `select ctid::text as row, count(*) over () ::integer as total from public.${name} order by ctid desc limit 1`.replace(
              'pg_table.',
              '',
            ),
          );
          const { row, total } = rows[0]!;
          const rightsOf = async (actor: Actor) => {
            const counted = `select count(*)::integer as seen from ${name}`;
            const seen = (await as(actor).rows<{ seen: number }>(counted))[0]!.seen;
            const writes: [string, string | null | undefined][] = [
              ['insert', INSERTS[name] && `insert into ${name} ${INSERTS[name]}`],
              ['update', column && `update ${name} set ${column} = ${column} where ctid = '${row}'`],
              ['delete', `delete from ${name} where ctid = '${row}'`],
            ];
            const rights = [seen === total ? 'read' : seen > 0 ? 'some' : ''];
            for (const [right, text] of writes) {
              if (!text) continue;
              await server.query('savepoint before');
              if (
                await isAllowed(
                  as(actor)
                    .write(text)
                    .then((rows) => rows > 0),
                )
              )
                rights.push(right);
              await server.query('rollback to savepoint before');
            }
            return rights.filter(Boolean).join(' ');
          };
          found[name] = [await rightsOf(editor), await rightsOf(admin), await rightsOf(otherUser)];
        }
        expect(found).toEqual(TABLES);
      }));

    it('call the procedures of their subjects, and no others', () =>
      stage.play(async (scene) => {
        await plant(scene);
        const { as, server } = scene;
        await server.query(`insert into private.draft_secrets (hash, project_id) values ('\\x00', $1)`, [ids.draft]);
        const { rows } = await server.query<{ name: string }>(
          `select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace
           and has_function_privilege('authenticated', oid, 'execute') and prorettype <> 'trigger'::regtype order by 1`,
        );
        const found: Record<string, string> = {};
        for (const { name } of rows) {
          const args = CALLS[name]?.[0] ?? '';
          const allowed: string[] = [];
          for (const [role, actor] of Object.entries(ROLES)) {
            await server.query('savepoint before');
            const call = as(actor).call(
              `select ${name}(${args})::text as answer`,
              args.includes('$1') ? [ids.draft] : [],
            );
            const isClosed = (answer: unknown) =>
              [undefined, 'false', '{"admin": false}'].includes(answer as string) ||
              (answer === null && name === 'review_version');
            if (await isAllowed(call.then(({ answer, status }) => status !== '403' && !isClosed(answer))))
              allowed.push(role);
            await server.query('rollback to savepoint before');
          }
          found[name] = allowed.join(' ');
        }
        expect(found).toEqual(Object.fromEntries(Object.entries(CALLS).map(([name, [, allowed]]) => [name, allowed])));
      }));

    it('use the buckets of projects like admins, and no others', () =>
      stage.play(async (scene) => {
        await plant(scene);
        const { as, server } = scene;
        const buckets = (await server.query<{ id: string }>('select id from storage.buckets order by 1')).rows;
        const found: typeof BUCKETS = {};
        for (const { id } of buckets) {
          const name = BUCKETS[id]?.[0] ?? `${FILE}.txt`;
          const rightsOf = async (actor: Actor) => {
            const rights: string[] = [];
            const add = `insert into storage.objects (bucket_id, name) values ('${id}', '${name}')`;
            await server.query('savepoint before');
            if (await isAllowed(as(actor).write(add).then(Boolean))) rights.push('add');
            await server.query('rollback to savepoint before');
            await server.query(add);
            for (const [right, text] of [
              ['list', 'select from storage.objects'],
              ['replace', `update storage.objects set version = '2'`],
              ['remove', 'delete from storage.objects'],
            ] as const)
              if (
                await isAllowed(
                  right === 'list'
                    ? as(actor)
                        .rows(text)
                        .then((rows) => rows.length > 0)
                    : as(actor)
                        .write(text)
                        .then((rows) => rows > 0),
                )
              )
                rights.push(right);
            await server.query('rollback to savepoint before');
            return rights.join(' ');
          };
          found[id] = [name, await rightsOf(editor), await rightsOf(otherUser)];
          expect(await rightsOf(admin)).toBe(found[id]![1]);
        }
        expect(found).toEqual(BUCKETS);
      }));

    describe('role', () => {
      const heldBy = async ({ server }: Scene, id: string) =>
        (await server.query<{ held: string | null }>(HELD, [id])).rows[0]!.held;

      it('is granted and withdrawn by admins alone, and works from the next statement', () =>
        stage.play(async (scene) => {
          const { as } = scene;
          await plant(scene);
          for (const role of ['admin', 'editor'])
            for (const id of [EDITOR, ids.otherUser]) {
              expect(await as(editor).refusal(GRANT, [id, role])).toBe('42501');
              expect(await as(otherUser).refusal(GRANT, [id, role])).toBe('42501');
            }
          expect(await as(editor).write('delete from user_roles where user_id = $1', [ids.admin])).toBe(0);
          const edit = `update projects set title = 'Edited' where id = $1`;
          expect(await as(editor).write(edit, [ids.draft])).toBe(1);
          expect(await as(admin).write('delete from user_roles where user_id = $1', [EDITOR])).toBe(1);
          expect(await as(editor).write(edit, [ids.draft])).toBe(0);
          expect(await as(editor).rows('select email from profiles')).toEqual([{ email: 'editor@example.com' }]);
        }));

      it('replaces the role admin and is replaced by it, but not that of the last admin', () =>
        stage.play(async (scene) => {
          const { as, server } = scene;
          await plant(scene);
          expect(await as(admin).refusal(GRANT, [ids.admin, 'editor'])).toBe('PT409');
          expect(await heldBy(scene, ids.admin)).toBe('admin');
          await as(admin).write(GRANT, [EDITOR, 'admin']);
          expect(await heldBy(scene, EDITOR)).toBe('admin');
          await as(admin).write('update reviews set assignee = $1 where project_id = $2', [EDITOR, ids.draft]);
          await as(editor).write(GRANT, [ids.admin, 'editor']);
          expect(await heldBy(scene, ids.admin)).toBe('editor');
          await as(editor).refusal(GRANT, [EDITOR, 'editor']);
          await server.query(GRANT, [ids.creator, 'admin']);
          await as(editor).write(GRANT, [EDITOR, 'editor']);
          const { rows } = await server.query('select assignee from public.reviews where project_id = $1', [ids.draft]);
          expect(rows).toEqual([{ assignee: EDITOR }]);
        }));

      it('cannot be renamed or deleted', () =>
        stage.play(async ({ as }) => {
          for (const text of [
            `update roles set name = 'x' where name = 'editor'`,
            `delete from roles where name = 'editor'`,
          ])
            expect(await as(theService).refusal(text)).toBe('PT409');
        }));

      it('needs the second factor that admins need', () =>
        stage.play(async (scene) => {
          const { as, server } = scene;
          await plant(scene);
          await server.query(`insert into public.site_settings values ('admins_need_second_factor', 'true')`);
          const flags = 'select can_edit_content() as edits, admin_needs_second_factor() as needs';
          expect(await as(editor).rows(flags)).toEqual([{ edits: false, needs: true }]);
          const claims = { ...editor.caller.claims, aal: 'aal2' };
          const proven = { caller: { ...editor.caller, claims } };
          expect(await as(proven).rows(flags)).toEqual([{ edits: true, needs: false }]);
        }));

      it('is named by the log and by versions, and editors are responsible for submissions until they lose it', () =>
        stage.play(async (scene) => {
          const { as, server } = scene;
          await plant(scene);
          await as(editor).write('update reviews set assignee = $1 where project_id = $2', [EDITOR, ids.draft]);
          await as(editor).write(`update projects set status = 'active' where id = $1`, [ids.otherUsersDraft]);
          const { rows } = await server.query(`select distinct actor_kind from public.audit_log where actor = $1`, [
            EDITOR,
          ]);
          expect(rows).toEqual([{ actor_kind: 'editor' }]);
          expect(
            await as(admin).rows('select distinct actor_kind from project_versions where actor = $1', [EDITOR]),
          ).toEqual([{ actor_kind: 'editor' }]);
          await as(admin).write('delete from user_roles where user_id = $1', [EDITOR]);
          expect((await server.query('select from public.reviews where assignee = $1', [EDITOR])).rows).toEqual([]);
        }));

      it('leaves a former editor their own submissions, and nothing that they prepared for the agency', () =>
        stage.play(async (scene) => {
          const { as } = scene;
          await plant(scene);
          const mine = async () =>
            (await as(editor).rows<{ title: string }>('select title from projects where created_by = auth.uid()'))
              .map(({ title }) => title)
              .sort();
          await as(editor).write(
            `insert into projects (title, status) values ('Live', 'active'), ('Prepared', 'draft')`,
          );
          await as(withSecret(newSecret(), editor)).call(`select create_case_study('Submitted') as answer`);
          for (const role of ['admin', 'editor']) await as(admin).write(GRANT, [EDITOR, role]);
          expect(await mine()).toEqual(['Live', 'Prepared', 'Submitted']);
          await as(admin).write('delete from user_roles where user_id = $1', [EDITOR]);
          expect(await mine()).toEqual(['Submitted']);
          for (const title of ['Live', 'Prepared'])
            expect(await as(editor).write('delete from projects where title = $1', [title])).toBe(0);
          expect(await as(editor).rows(`select from projects where title = 'Prepared'`)).toEqual([]);
        }));

      it('deletes one project, and no several at once', () =>
        stage.play(async (scene) => {
          const { as } = scene;
          await plant(scene);
          expect(await as(editor).refusal('delete from projects where id in ($1, $2)', [ids.draft, ids.archived])).toBe(
            '42501',
          );
          expect(await as(editor).write('delete from projects where id = $1', [ids.draft])).toBe(1);
          const restored = await as(editor).call('select restore_from_trash(array[$1::uuid]) as answer', [ids.draft]);
          expect(restored.answer).toMatchObject({ projects: 1 });
        }));
    });
  });
