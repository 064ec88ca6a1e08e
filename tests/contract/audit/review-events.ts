import { randomUUID } from 'node:crypto';
import {
  addEvent,
  answerReview,
  expectError,
  ok,
  quoted,
  type Role,
  refused,
  submission,
  type World,
} from './event.ts';
import { type Client, newEmail } from './site.ts';

for (const [response, sentences] of [
  ['publish', ['{me} published {it}', '{me} changed {it}', '{me} approved {it}']],
  ['ask', ['{me} requested changes to {it}']],
  ['decline', ['{me} declined {it}']],
  ['reopen', ['{me} reopened {it}']],
] as const)
  addEvent(`reviews.${response}`, 'admin', [...sentences], async (me, world) => {
    const { id, title } = await submission(world);
    if (response === 'reopen') await ok(answerReview(world, null, id, 'decline'));
    await ok(answerReview(world, me, id, response));
    return { it: quoted(title) };
  });
addEvent('reviews.answer', 'member', refused('answer a submission'), async (me, world) => {
  await expectError(answerReview(world, me, (await submission(world)).id, 'publish'));
});
addEvent('reviews.assign', 'admin', '{me} set the assignee of {it}', async (me, world) => {
  const { id, title } = await submission(world);
  await ok(me.data.from('reviews').update({ assignee: world.admin.id }).eq('project_id', id));
  return { it: `${quoted(title)}, ${world.admin.email}` };
});
addEvent('reviews.unassign', 'admin', '{me} unassigned {it}', async (me, world) => {
  const { id, title } = await submission(world);
  const reviews = async (who: Client, assignee: string | null) =>
    ok(who.data.from('reviews').update({ assignee }).eq('project_id', id));
  await reviews(await world.admin.again(), world.admin.id);
  await reviews(me, null);
  return { it: quoted(title) };
});
addEvent('reviews.check', 'admin', '{me} updated the checklist of {it}', async (me, world) => {
  const { id, title } = await submission(world);
  await ok(me.data.from('reviews').update({ rights_cleared: true }).eq('project_id', id));
  return { it: quoted(title) };
});
const SENT_BACK = ['{me} changed {it}', '{me} resubmitted {it}'];
addEvent('reviews.send_back', 'guest, creator', SENT_BACK, async (_, world, role) => {
  const own = role === 'creator' ? await world.creator.again() : null;
  const { id, title, secret } = await submission(world, own);
  await ok(answerReview(world, null, id, 'ask'));
  const me = own ? await world.creator.again() : world.site.guest({ 'x-draft-secret': secret });
  const texts = { p_brief: 'a', p_understanding: 'b', p_actions: 'c', p_impact: 'd', p_category: null, p_tags: [] };
  const media = [{ id: randomUUID(), type: 'image', url: 'https://pictures.example/a.png' }];
  await ok(me.data.rpc('send_draft_back', { p_project: id, p_title: title, p_client: '', ...texts, p_media: media }));
  return { it: quoted(title), me };
});
addEvent('drafts.claim', 'member', ['{me} changed {it}', '{me} claimed the draft {it}'], async (_, world) => {
  const { id, title, secret } = await submission(world);
  const me = await world.member.again({ 'x-draft-secret': secret });
  await ok(me.data.rpc('claim_draft', { p_project: id }));
  return { it: quoted(title), me };
});
const until = () => new Date(Date.now() + 86_400_000).toISOString();
async function link(world: World, me: Client, role: Role) {
  const draft = await submission(world, role === 'creator' ? await world.creator.again() : null);
  const holder = role === 'guest' ? world.site.guest({ 'x-draft-secret': draft.secret }) : me;
  const createLink = async (who: Client) => {
    const params = { p_project: draft.id, p_name: 'Ravi', p_until: until() };
    return (await ok(who.data.rpc('make_draft_link', params))).data as { id: string };
  };
  return { it: quoted(draft.title), me: holder, made: createLink };
}
addEvent('draft_links.make', 'guest, creator, admin', '{me} created a draft link for {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  await known.made(known.me);
  return known;
});
addEvent('draft_links.change', 'guest, admin', '{me} changed a draft link of {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  const { id } = await known.made(await world.admin.again());
  await ok(known.me.data.rpc('change_draft_link', { p_link: id, p_name: 'Asha', p_until: until() }));
  return known;
});
addEvent('draft_links.revoke', 'guest, admin', '{me} revoked a draft link of {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  const { id } = await known.made(await world.admin.again());
  await ok(known.me.data.rpc('revoke_draft_link', { p_link: id }));
  return known;
});
addEvent('draft_links.mail', 'admin', '{me} emailed a draft link of {it}', async (me, world) => {
  const { id, title, sender } = await submission(world);
  await ok(sender.data.rpc('leave_contact', { p_project: id, p_email: newEmail() }));
  await ok(me.data.rpc('mail_draft_link', { p_project: id }));
  return { it: quoted(title) };
});
/** The holder of a new link for reading. */
async function clientOfDraft(world: World) {
  const { id, title } = await submission(world);
  const admin = await world.admin.again();
  const { data } = await ok(admin.data.rpc('make_draft_link', { p_project: id, p_name: 'Ravi', p_until: until() }));
  const me = world.site.guest({ 'x-draft-secret': (data as { secret: string }).secret });
  const comment = randomUUID();
  await ok(me.data.rpc('comment_on_draft', { p_project: id, p_body: 'Brighter, please.', p_id: comment }));
  return { id, it: quoted(title), me, comment };
}
const COMMENTED = '{me} commented on {it}';
const RESOLVED = [COMMENTED, '{me} resolved a comment on {it}', '{me} reopened a comment on {it}'];
addEvent('draft_comments.add draft_comments.resolve draft_comments.reopen', 'guest', RESOLVED, async (_, world) => {
  const known = await clientOfDraft(world);
  for (const p_resolved of [true, false])
    await ok(known.me.data.rpc('resolve_draft_comment', { p_comment: known.comment, p_resolved }));
  return known;
});
const APPROVED = [COMMENTED, '{me} approved the draft {it}', '{me} withdrew the approval of {it}'];
addEvent('draft_comments.approve draft_comments.withdraw', 'guest', APPROVED, async (_, world) => {
  const known = await clientOfDraft(world);
  const { data } = await ok(known.me.data.rpc('draft_room', { p_project: known.id }));
  for (const p_version of [(data as { version: string }).version, null])
    await ok(known.me.data.rpc('approve_draft', { p_project: known.id, p_version }));
  return known;
});
const DELETED = ['{me} deleted a comment on {it}', '{me} restored a comment on {it}'];
addEvent('draft_comments.delete draft_comments.restore', 'admin', DELETED, async (me, world) => {
  const { it, comment } = await clientOfDraft(world);
  await ok(me.data.rpc('delete_draft_comment', { p_comment: comment }));
  await ok(me.data.rpc('restore_draft_comments', { p_ids: [comment] }));
  return { it };
});
const NO_PROJECT = refused('email a draft link of a project that no longer exists');
addEvent('draft_links.mail', 'member', NO_PROJECT, async (me, world) => {
  await expectError(me.data.rpc('mail_draft_link', { p_project: (await submission(world)).id }));
});
