import { expect } from 'vitest';
import type { Value } from '../../packages/backend/database/database.ts';
import { randomNumbers } from '../random-numbers.ts';
import { type Actor, admin, ids, submitter, theService } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

const REFERRERS: [table: string, key: string, columns: string[]][] = [
  ['public.projects', 'id', ['description', 'understanding', 'actions', 'impact', 'facts']],
  ['public.case_study_metadata', 'project_id', ['brief', 'understanding', 'actions', 'impact']],
  ['public.project_media', 'id', ['url', 'poster']],
  ['public.site_pages', 'slug', ['body']],
  ['public.site_settings', 'name', ['value']],
  ['private.trash', 'id', ['entry']],
  ['public.pages', 'id', ['draft', 'live']],
  ['public.page_versions', 'id', ['content']],
  ['public.planned_changes', 'id', ['fields', 'base']],
];
/** References found by searching these columns, without functions of the product. */
const SEARCHED = `
  select distinct place || ' ' || record || ' ' || file as line
  from (${REFERRERS.map(
    ([table, key, columns]) =>
      `select '${table.split('.')[1]}' as place, ${key}::text as record, concat_ws(' ', ${columns.join(', ')}) as body from ${table}`,
  ).join(
    ' union all ',
  )}) texts, regexp_matches(body, '/(case-studies/images|films)/([0-9a-f-]{36})[.]([a-z0-9]{3,4})', 'g') found,
    unnest(array_remove(array[
      found[1] || '/' || found[2] || '.' || found[3], case found[1] when 'films' then 'captions/' || found[2] || '.vtt' end
    ], null)) file
  order by 1`;
/**
 * The other text columns. They must not refer to files, which would be deleted after a day. Versions and the history of
 * settings may, but do not retain files.
 */
const OTHER_COLUMNS: Record<string, string> = {
  'private.attempts': 'subject',
  'private.contact_senders': 'address',
  'private.draft_secrets': 'hash, made_by, name',
  'private.farewell_mails': 'email',
  'private.listing_counts': 'category',
  'private.listings': 'category, led_by',
  'private.mail_notices': 'data, kind',
  'private.object_references': 'bucket_id, name, record, table_name',
  'private.project_register': 'status, title',
  'private.project_words': 'words',
  'private.setup_keys': 'hash',
  'private.tallies': 'kind, name',
  'private.trash': 'table_name, title',
  'public.audit_log': 'action, actor_kind, address, changes, object, outcome, reason, request_id, session_id',
  'public.case_study_metadata': 'category, credits, tags',
  'public.contact_messages': 'email, message, name',
  'public.draft_comments': 'body, client, place, version',
  'public.profiles': 'email, name',
  'public.media_files': 'alt, bucket_id, credit, file_name, kind, name',
  'public.page_redirects': 'path',
  'public.page_versions': 'title',
  'public.pages': 'kind, live_title, path, title',
  'public.planned_changes': 'kind, problem',
  'public.project_media': 'alt, credit, description, loops, made, placeholder, provenance, title, type',
  'public.project_members': 'name, role',
  'public.project_versions': 'actor_kind, changed, content',
  'public.projects': 'client, status, title',
  'public.reading_counts': 'mark, page',
  'public.reply_templates': 'answer, body, name',
  'public.review_contacts': 'email',
  'public.review_notes': 'body',
  'public.review_steps': 'kind, mail_to, words',
  'public.reviews': 'before, state',
  'public.roles': 'name',
  'public.settings_history': 'after, before, name, subject',
  'public.site_pages': 'slug',
  'public.site_settings': 'name',
  'public.split_shares': 'cut, words',
  'public.split_sheets': 'client, credits, currency, instalments, payment, plan, project_title, terms, unallocated_to',
  'public.split_statements': 'currency, name, number, payments, project_title, terms',
  'public.webhook_deliveries': 'data, event, problem',
  'public.webhooks': 'events, url',
};
/** All text columns by table, except those that may refer to files. */
const OTHER_TEXTS = `
  select table_schema || '.' || table_name as table, string_agg(column_name, ', ' order by column_name) as columns
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema in ('public', 'private') and table_type = 'BASE TABLE'
    and (data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea') or udt_name in ('_text', '_varchar', '_json', '_jsonb'))
    and table_schema || '.' || table_name || '.' || column_name <> all($1)
  group by 1 order by 1`;
const RECORDED = `select table_name || ' ' || record || ' ' || bucket_id || '/' || name as line from private.object_references order by 1`;
const linesOf = ({ server }: Scene, text: string) => server.column<string>(text);

/** Of a picture, or from 6 on of a film. */
const address = (n: number) =>
  `https://mad.example/storage/v1/object/public/${n < 6 ? 'case-studies/images' : 'films'}/0f0f0f0f-0000-4000-8000-00000000000${n}.${n < 6 ? 'png' : 'mp4'}`;

const random = randomNumbers(20_261_123);
const anyUrl = () => address(random(9));
const text = () =>
  [null, '<p>Words</p>', anyUrl(), `<img src="${anyUrl()}">`, `${anyUrl()}\n<p>beside</p><img src="${anyUrl()}">`][
    random(5)
  ]!;
const url = () => [anyUrl(), 'https://pictures.example/x.png'][random(2)]!;
const project = () => [ids.published, ids.archived, ids.draft, ids.guestsDraft][random(4)]!;
const setting = () => ['phone', 'email'][random(2)]!;
/** A random value that selects a row. */
const anyText = () => String(random(1000));
const picked = (table: string, which = 'true') =>
  `(select id from ${table} where ${which} order by md5(id::text || $1) limit 1)`;

const WRITE_ACTIONS = `insert into case_study_metadata (project_id, actions) select id, $2 from projects where id = $1
  on conflict (project_id) do update set actions = excluded.actions`;
const ADD_MEDIA =
  'insert into project_media (project_id, url, poster) select id, unnest(array[$2, $3]), $4 from projects where id = $1';
const RESTORE_TOGETHER = `select private.restore_trash(private.deleted_together(${picked('private.trash', `table_name = 'projects'`)}))`;
const RESTORE_VERSION = `select restore_project_version(project_id, min(number), max(number)) from project_versions
  where project_id = ${picked('projects')} group by project_id`;
const STAGE_VIDEO = `select stage_parts(id, (select max(number) from project_versions where project_id = projects.id),
    (select updated_at from planned_changes where project_id = projects.id),
    jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'video', 'url', $1::text, 'poster', $2::text)))
  from projects where status <> 'draft'`;
const WRITE_SETTING = `insert into site_settings (name, value) values ($1, to_jsonb(coalesce($2::text, '')))
  on conflict (name) do update set value = excluded.value`;
const WRITE_PRIVACY = `insert into site_pages (slug, body) values ('privacy', coalesce($1, ''))
  on conflict (slug) do update set body = excluded.body`;
const ADD_VERSION = `insert into page_versions (page_id, number, content)
  select id, (select count(*) from page_versions) + 1, jsonb_build_object('text', $1::text) from pages where kind = 'home'`;
/** Writes with their actor (null: the server) and random values. */
const ACTS: [actor: Actor | null, text: string, ...drawn: (() => Value)[]][] = [
  [theService, `insert into projects (title, description, impact) values ('New', $1, $2)`, text, text],
  [admin, 'update projects set description = $2, actions = $3 where id = $1', project, text, text],
  [theService, 'update projects set impact = $1 where id is not null', text],
  [submitter, 'update case_study_metadata set understanding = $1, actions = $2, impact = $3', text, text, text],
  [admin, 'update case_study_metadata set brief = $2 where project_id = $1', project, text],
  [admin, 'delete from case_study_metadata where project_id = $1', project],
  [theService, WRITE_ACTIONS, project, text],
  [theService, ADD_MEDIA, project, url, url, url],
  [admin, `update project_media set url = $2, poster = $3 where id = ${picked('project_media')}`, anyText, url, url],
  [admin, `delete from project_media where id = ${picked('project_media')}`, anyText],
  [admin, `delete from projects where id = ${picked('projects')}`, anyText],
  [null, `update private.trash set entry = entry - 'poster' - 'impact'`],
  [null, 'select private.restore_trash(array(select id from private.trash))'],
  [null, `select private.restore_trash(array[${picked('private.trash', `table_name = 'project_media'`)}])`, anyText],
  [null, RESTORE_TOGETHER, anyText],
  [admin, RESTORE_VERSION, anyText],
  [admin, STAGE_VIDEO, url, url],
  [admin, 'select discard_revision(project_id, updated_at) from planned_changes'],
  [null, `delete from private.trash where id = ${picked('private.trash')}`, anyText],
  [admin, WRITE_SETTING, setting, text],
  [null, `update site_settings set name = 'was_' || md5($1)::char(8) where name = 'phone'`, anyText],
  [admin, 'delete from site_settings'],
  [admin, WRITE_PRIVACY, text],
  [admin, 'delete from site_pages'],
  [null, `update pages set draft = jsonb_build_object('text', $1::text) where kind = 'home'`, text],
  [null, `update pages set live = draft, draft = null where kind = 'home'`],
  [null, ADD_VERSION, text],
  [null, 'delete from page_versions'],
];
const TURNS = 100;

export const objectReferences = onStage('index table of file references', ({ test }) => {
  test('equals a search of all texts after every write', async ({ as, scene, server }) => {
    for (let turn = 0; turn < TURNS; turn++) {
      const [actor, act, ...drawn] = ACTS[turn < 3 * ACTS.length ? turn % ACTS.length : random(ACTS.length)]!;
      const values = drawn.map((next) => next());
      if (actor) await as(actor).write(act, values);
      else await server.query(act, values);
      expect(await linesOf(scene, RECORDED), `${turn}: ${act}`).toEqual(await linesOf(scene, SEARCHED));
    }
    await server.query('update projects set impact = $1', [address(0)]);
    expect(await linesOf(scene, RECORDED)).toContainEqual(expect.stringMatching(/^projects /));
    await server.query('truncate projects cascade');
    expect(await linesOf(scene, RECORDED)).toEqual(await linesOf(scene, SEARCHED));
  });

  test('covers each column that can contain a file address: a new column needs a trigger or an exception here', async (scene) => {
    const { server } = scene;
    const speaking = REFERRERS.flatMap(([table, , columns]) => columns.map((column) => `${table}.${column}`));
    const rows = await server.rows<{ table: string; columns: string }>(OTHER_TEXTS, [speaking]);
    expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns]))).toEqual(OTHER_COLUMNS);
  });

  test('is repaired by the comparison when a reference is missing', async ({ scene, server }) => {
    const mended = () => server.rows('select * from private.repair_object_references()');
    expect(await mended()).toEqual([{ missing: 0, surplus: 0 }]);
    await server.query('update projects set impact = $1 where id = $2', [address(1), ids.published]);
    await server.query(`set local session_replication_role = 'replica'`);
    const WRITE_IMPACT = 'update projects set impact = $1 where id = any($2)';
    await server.query(WRITE_IMPACT, [`${address(2)} ${address(3)}`, [ids.published, ids.draft]]);
    expect(await linesOf(scene, RECORDED)).not.toEqual(await linesOf(scene, SEARCHED));
    expect(await mended()).toEqual([{ missing: 4, surplus: 1 }]);
    expect(await linesOf(scene, RECORDED)).toEqual(await linesOf(scene, SEARCHED));
    expect(await mended()).toEqual([{ missing: 0, surplus: 0 }]);
  });
});
