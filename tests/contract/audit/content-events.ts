import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addEvent, expectError, newTitle, ok, project, quoted, refused, storedFile, type World } from './event.ts';
import type { Client } from './site.ts';
import { TABLES } from './table-rows.ts';

addEvent('projects.publish', 'admin, service', ['{me} published {it}', '{me} changed {it}'], async (me, world) => {
  const { id, title } = await project(world, { status: 'draft' });
  await ok(me.data.from('projects').update({ status: 'active' }).eq('id', id));
  return { it: quoted(title) };
});
addEvent('projects.unpublish', 'admin, service', ['{me} unpublished {it}', '{me} changed {it}'], async (me, world) => {
  const { id, title } = await project(world);
  await ok(me.data.from('projects').update({ status: 'draft' }).eq('id', id));
  return { it: quoted(title) };
});
addEvent('projects.restore', 'admin', '{me} restored {it} from the trash', async (me, world) => {
  const { id, title } = await project(world);
  await ok(world.site.service().data.from('projects').delete().eq('id', id));
  await ok(me.data.rpc('restore_from_trash', { projects: [id], media: [] }));
  return { it: quoted(title) };
});
addEvent('project_media.restore', 'admin', '{me} restored media from the trash: {it}', async (me, world) => {
  const { row, filter, it } = await TABLES['project_media']!.row(world, true);
  expect(row).toBeTruthy();
  await ok(world.site.service().data.from('project_media').delete().match(filter));
  await ok(me.data.rpc('restore_from_trash', { projects: [], media: [filter['id']] }));
  return { it };
});
async function newPage(me: Client): Promise<{ id: string; title: string }> {
  const title = newTitle();
  const creating = me.data.rpc('create_page', { title, path: `/${title.toLowerCase().replace(' ', '-')}` });
  const { data: id } = await ok(creating);
  await ok(me.data.rpc('save_page_draft', { page: id, content: {}, title, seen: 1 }));
  return { id: id as string, title };
}
addEvent('pages.insert', 'admin', '{me} created the page {it}', async (me) => {
  const { title } = await newPage(me);
  return { it: quoted(title) };
});
for (const [act, sentence, args] of [
  ['publish', 'published', { seen: 2 }],
  ['move', 'moved', { path: '/moved' }],
  ['delete', 'deleted', {}],
] as const)
  addEvent(`pages.${act}`, 'admin', `{me} ${sentence} the page {it}`, async (me, world) => {
    const { id, title } = await newPage(await world.admin.again());
    await ok(me.data.rpc(`${act}_page`, { page: id, ...args }));
    return { it: quoted(title) };
  });
addEvent('pages.restore', 'admin', '{me} restored the page {it}', async (me, world) => {
  const other = await world.admin.again();
  const { id, title } = await newPage(other);
  await ok(other.data.rpc('delete_page', { page: id }));
  await ok(me.data.rpc('restore_page', { page: id }));
  return { it: quoted(title) };
});
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const schedule = (who: Client, kind: 'publish' | 'unpublish', of: { p_project: string } | { p_page: string }) =>
  ok(who.data.rpc('plan_change', { p_kind: kind, p_at: soon(), ...of }));
addEvent('pages.plan_publish', 'admin', '{me} scheduled the publication of the page {it}', async (me, world) => {
  const { id, title } = await newPage(await world.admin.again());
  await schedule(me, 'publish', { p_page: id });
  return { it: quoted(title) };
});
addEvent('projects.plan_publish', 'admin', '{me} scheduled the publication of {it}', async (me, world) => {
  const { id, title } = await project(world, { status: 'draft' });
  await schedule(me, 'publish', { p_project: id });
  return { it: quoted(title) };
});
addEvent('projects.plan_unpublish', 'admin', '{me} scheduled the end of {it}', async (me, world) => {
  const { id, title } = await project(world);
  await schedule(me, 'unpublish', { p_project: id });
  return { it: quoted(title) };
});
/** @returns a published project with a saved revision, and when that was saved */
async function revision(world: World, saveAs: Client) {
  const known = await project(world);
  const seen = await ok(saveAs.data.from('projects').select('updated_at').eq('id', known.id).single());
  const call = { p_id: known.id, p_seen: seen.data!.updated_at, p_staged: null, p_publish: false };
  await ok(saveAs.data.rpc('stage_project', { ...call, p_fields: { client: 'Acme' }, ...NO_TEXTS }));
  const planned = (await world.admin.again()).data.from('planned_changes');
  const { data } = await ok(planned.select('updated_at').eq('project_id', known.id).single());
  return { id: known.id, it: quoted(known.title), staged: data!.updated_at };
}
const NO_TEXTS = { p_description: '', p_understanding: '', p_actions: '', p_impact: '' };
addEvent('projects.stage', 'admin', '{me} saved changes of {it} for later', (me, world) => revision(world, me));
for (const [act, sentences] of [
  ['publish', ['{me} changed {it}', '{me} published changes of {it}']],
  ['discard', ['{me} discarded changes of {it}']],
] as const)
  addEvent(`projects.${act}_revision`, 'admin', [...sentences], async (me, world) => {
    const { id, it, staged } = await revision(world, await world.admin.again());
    await ok(me.data.rpc(`${act}_revision`, { p_id: id, p_staged: staged }));
    return { it };
  });
addEvent('media_files.insert', 'admin', '{me} added a file to the media library', async (me, world) => {
  const { name } = await storedFile(world);
  await ok(me.data.rpc('add_to_library', { p_name: name, p_file_name: 'lamp.png' }));
});
addEvent('media_files.update', 'admin', '{me} changed the words of files in the media library', async (me, world) => {
  const { id, updated_at } = await storedFile(world);
  await ok(me.data.rpc('describe_media_files', { p_changes: [{ id, seen: updated_at, alt: 'A lamp' }] }));
});
addEvent('media_files.delete', 'admin', '{me} deleted files from the media library', async (me, world) => {
  await ok(me.data.rpc('delete_media_files', { p_ids: [(await storedFile(world)).id] }));
});
addEvent('media_files.delete', 'admin', refused('delete files from the media library'), async (me, world) => {
  const { id, name } = await storedFile(world);
  const url = `https://mad.example/storage/v1/object/public/case-studies/${name}`;
  const row = { project_id: (await project(world)).id, url };
  await ok(world.site.service().data.from('project_media').insert(row));
  await ok(me.data.rpc('delete_media_files', { p_ids: [id] }));
});
addEvent('media_files.restore', 'admin', '{me} restored files of the media library', async (me, world) => {
  const { id } = await storedFile(world);
  await ok((await world.admin.again()).data.rpc('delete_media_files', { p_ids: [id] }));
  await ok(me.data.rpc('restore_media_files', { p_ids: [id] }));
});
addEvent('media_files.replace', 'admin', '{me} replaced a file everywhere', async (me, world) => {
  const [{ id }, other] = [await storedFile(world), await storedFile(world)];
  await ok(me.data.rpc('replace_media_file', { p_id: id, p_by: other.id }));
});
const RESTORED = ['{me} changed {it}', '{me} restored an older version of {it}'];
addEvent('projects.restore_version', 'admin, service', RESTORED, async (me, world) => {
  const { id, title } = await project(world);
  await ok(world.site.service().data.from('projects').update({ client: 'Acme' }).eq('id', id));
  await ok(me.data.rpc('restore_project_version', { p_id: id, p_number: 1, p_latest: 2 }));
  return { it: quoted(title) };
});
addEvent('projects.upload', 'guest, member', refused('create a project with the upload page'), async (me) => {
  const fields = { title: 'Lamp', status: 'active' };
  await expectError(me.data.rpc('upload_project', { project_id: randomUUID(), fields }));
});
addEvent('projects.feature', 'admin, service', '{me} chose the projects on the home page: {it}', async (me, world) => {
  const { id, title } = await project(world);
  await ok(me.data.rpc('feature_experiments', { p_ids: [id] }));
  return { it: quoted(title) };
});
