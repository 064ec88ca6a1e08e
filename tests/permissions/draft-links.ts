import { expect } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  holderOf,
  ids,
  newSecret,
  otherUser,
  sha256,
  submitter,
  withSecret,
} from './actors.ts';
import { logged, onStage, type Scene } from './stage.ts';

const LINKS = 'select * from draft_links(p_project => $1)';
const MAKE = `select make_draft_link(p_project => $1, p_name => $2, p_until => now() + $3::interval) as answer`;
const CHANGE = `select change_draft_link(p_link => $1, p_name => $2, p_until => now() + $3::interval)`;
const REVOKE = 'select revoke_draft_link(p_link => $1)';
const OPENED = 'select draft_opened()';
const CLAIM = 'select claim_draft(p_project => $1)';
const MAIL = 'select mail_draft_link(p_project => $1) as answer';
const READ = 'select title from projects where id = $1';

interface Link {
  id: string;
  name: string;
  made_by: string;
  last_opened_at: unknown;
  in_use: boolean;
}

export const draftLinks = onStage('draft links', ({ test }) => {
  const make = ({ as }: Scene, actor: Actor, project: string, name = 'For Ravi') =>
    as(actor).answer<{ id: string; secret: string }>(MAKE, [project, name, '7 days']);
  const links = ({ as }: Scene, actor: Actor, project: string) => as(actor).rows<Link>(LINKS, [project]);

  test('are created by the holder and by admins; the secret is returned once and only its hash is stored (TM-25)', async (scene) => {
    const { as, server } = scene;
    for (const [actor, project, by] of [
      [submitter, ids.guestsDraft, 'submitter'],
      [admin, ids.guestsDraft, 'admin'],
      [creator, ids.draft, 'submitter'],
    ] as [Actor, string, string][]) {
      const { id, secret } = await make(scene, actor, project);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(await as(withSecret(secret)).rows(READ, [project])).toHaveLength(1);
      const own = { name: 'For Ravi', made_by: by, in_use: false };
      expect((await links(scene, actor, project)).find((link) => link.id === id)).toMatchObject(own);
      const STORED = `select (select json_agg(s)::text from private.draft_secrets s) || (select json_agg(a)::text from audit_log a)`;
      const stored = await server.value<string>(STORED);
      expect(stored).not.toContain(secret);
      expect(stored).toContain(sha256(secret));
    }
    await as(admin).write(`update projects set status = 'active' where id = $1`, [ids.draft]);
    for (const actor of [admin, creator]) await as(actor).refused('42501', MAKE, [ids.draft, 'x', '1 day']);
  });

  test('created for sharing can read the draft, but not claim it, manage links or change the contact (C19)', async (scene) => {
    const { as, server } = scene;
    await server.query(`update projects set created_at = now(), status = 'draft' where id = $1`, [ids.guestsDraft]);
    const own = (await links(scene, admin, ids.guestsDraft))[0]!.id;
    const CONTACT = `select leave_contact(p_project => $1, p_email => 'mine@example.com')`;
    const STATES = 'select claimable from draft_states(p_projects => array[$1]::uuid[])';
    await as(submitter).rows(CONTACT, [ids.guestsDraft]);
    for (const maker of [submitter, admin]) {
      const { id, secret } = await make(scene, maker, ids.guestsDraft);
      for (const actor of [guest, otherUser, creator]) {
        const reader = withSecret(secret, actor);
        expect(await as(reader).rows(READ, [ids.guestsDraft])).toHaveLength(1);
        expect(await as(reader).rows(STATES, [ids.guestsDraft])).toEqual([{ claimable: false }]);
        expect(await links(scene, reader, ids.guestsDraft)).toEqual([]);
        await as(reader).refused('42501', CLAIM, [ids.guestsDraft]);
        await as(reader).refused('42501', MAKE, [ids.guestsDraft, 'Mine', '1 day']);
        for (const link of [own, id]) {
          await as(reader).refused('42501', CHANGE, [link, 'Mine', '1 day']);
          await as(reader).refused('42501', REVOKE, [link]);
        }
        await as(reader).refused('42501', CONTACT, [ids.guestsDraft]);
      }
    }
    // The submitter's own link allows all of it, and so does an admin's account with a reading link.
    expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toEqual([{ claimable: true }]);
    const { secret } = await make(scene, submitter, ids.guestsDraft);
    await as(withSecret(secret, admin)).rows(REVOKE, [own]);
    const EMAILS = 'select email from review_contacts where project_id = $1';
    expect(await server.rows(EMAILS, [ids.guestsDraft])).toEqual([{ email: 'mine@example.com' }]);
  });

  test('are listed for holders and admins, without their secrets', async (scene) => {
    await make(scene, submitter, ids.guestsDraft);
    for (const actor of [submitter, admin])
      expect((await links(scene, actor, ids.guestsDraft)).map(({ name }) => name)).toEqual(['First link', 'For Ravi']);
    expect(JSON.stringify(await links(scene, admin, ids.guestsDraft))).not.toContain('hash');
  });

  test('have a name and expire within a year; a draft has at most twenty in force', async (scene) => {
    const { as, server } = scene;
    for (const [name, until, code] of [
      ['', '1 day', '23514'],
      ['x'.repeat(61), '1 day', '23514'],
      ['two\nlines', '1 day', '23514'],
      ['Late', '-1 second', 'PT422'],
      ['Long', '367 days', 'PT422'],
    ] as const)
      await as(submitter).refused(code, MAKE, [ids.guestsDraft, name, until]);
    for (let count = 1; count < 20; count++) await as(submitter).rows(MAKE, [ids.guestsDraft, `${count}`, '1 day']);
    await as(submitter).refused('PT422', MAKE, [ids.guestsDraft, 'One more', '1 day']);

    // Ended ones leave room, and do not come back beyond it.
    const EXPIRE = `update private.draft_secrets set expires_at = now() where name in ('7', '8') returning id`;
    const [ended] = await server.rows<{ id: string }>(EXPIRE);
    const { id } = await make(scene, submitter, ids.guestsDraft);
    await make(scene, submitter, ids.guestsDraft);
    await as(submitter).rows(CHANGE, [id, 'Renamed', '2 days']);
    await as(submitter).refused('PT422', CHANGE, [ended!.id, 'Again', '1 day']);

    const FILL = `insert into private.draft_secrets (hash, project_id, expires_at, created_at)
      select sha256(n::text::bytea), $1, now(), now() - n * interval '1 hour' from generate_series(2, 150) n`;
    await server.query(FILL, [ids.guestsDraft]);
    expect((await links(scene, submitter, ids.guestsDraft)).map(({ name }) => name).slice(0, 100)).toContain('Renamed');
  });

  test('are renamed, dated and revoked by holders and admins; revoking is final', async ({ as, scene }) => {
    const { id, secret } = await make(scene, submitter, ids.guestsDraft);
    // Not disclosed to others: no error says that a link is missing.
    for (const link of [id, ids.missing]) await as(otherUser).refused('42501', REVOKE, [link]);
    await as(admin).rows(CHANGE, [id, 'For Ravi and Asha', '30 days']);
    await as(submitter).rows(REVOKE, [id]);
    await as(submitter).rows(REVOKE, [id]);
    expect(await as(withSecret(secret)).rows(READ, [ids.guestsDraft])).toEqual([]);
    await as(submitter).refused('PT409', CHANGE, [id, 'Back', '1 day']);
    const revoked = { name: 'For Ravi and Asha', revoked_at: expect.anything() };
    expect(await links(scene, submitter, ids.guestsDraft)).toMatchObject([{ revoked_at: null }, revoked]);
  });

  test('record when they were last opened, at most once an hour', async ({ as, scene, server }) => {
    const lastOpened = async () => (await links(scene, admin, ids.guestsDraft))[0]!.last_opened_at;
    for (const actor of [guest, creator, withSecret(newSecret()), withSecret('nonsense')]) await as(actor).rows(OPENED);
    expect(await lastOpened()).toBeNull();
    await as(submitter).rows(OPENED);
    expect(await lastOpened()).not.toBeNull();
    const writes = async (ago: string) => {
      await server.query(`update private.draft_secrets set last_opened_at = now() - $1::interval`, [ago]);
      const before = await lastOpened();
      await as(submitter).rows(OPENED);
      return String(await lastOpened()) !== String(before);
    };
    expect([await writes('59 minutes'), await writes('61 minutes')]).toEqual([false, true]);
    await server.query(`update private.draft_secrets set last_opened_at = null, revoked_at = now()`);
    await as(submitter).rows(OPENED);
    expect(await lastOpened()).toBeNull();
  });

  test('move a guest’s draft to an account, once, and stay valid (PERM-07)', async ({ as, server }) => {
    await as(submitter).refused('42501', CLAIM, [ids.guestsDraft]);
    await as(holderOf('guestsDraft', otherUser)).rows(CLAIM, [ids.guestsDraft]);
    await as(holderOf('guestsDraft', otherUser)).rows(CLAIM, [ids.guestsDraft]);
    await as(holderOf('guestsDraft', creator)).refused('PT409', CLAIM, [ids.guestsDraft]);
    expect(await as(otherUser).rows(READ, [ids.guestsDraft])).toHaveLength(1);
    expect(await as(submitter).rows(READ, [ids.guestsDraft])).toHaveLength(1);
    expect(await logged(server, 'drafts.claim', 'actor, object')).toEqual([`${ids.otherUser} ${ids.guestsDraft}`]);
  });

  test('store nothing when a link preview opens them or the draft is published', async ({ as }) => {
    const passing: Actor = holderOf('guestsDraft', {
      caller: { ...otherUser.caller, claims: { ...otherUser.caller.claims, is_anonymous: true } } as Actor['caller'],
    });
    await as(passing).refused('PT403', CLAIM, [ids.guestsDraft]);
    await as(admin).write(`update projects set status = 'active' where id = $1`, [ids.guestsDraft]);
    await as(holderOf('guestsDraft', otherUser)).refused('42501', CLAIM, [ids.guestsDraft]);
  });

  test('are mailed by admins to a known address; the e-mail’s link stays the same', async ({ as, server }) => {
    await as(admin).refused('PT422', MAIL, [ids.guestsDraft]);
    await as(admin).refused('PT409', MAIL, [ids.published]);
    expect(await as(admin).answer(MAIL, [ids.draft])).toEqual({ mail_to: 'creator@example.com' });
    const UNMAILED = 'select waiting.* from review_steps steps, private.unmailed_review_step(steps.id) waiting';
    const rows = await server.rows<{ id: string; kind: string }>(UNMAILED);
    expect(rows).toMatchObject([{ kind: 'link', mail_to: 'creator@example.com', title: 'Draft' }]);
    const secret = newSecret();
    const CREATE_LINK = 'select private.create_review_step_link($1, $2) as until';
    const hash = new Uint8Array(Buffer.from(sha256(secret), 'hex'));
    const until = () => server.value<unknown>(CREATE_LINK, [rows[0]!.id, hash]);
    expect(await until()).toEqual(await until());
    expect(await until()).not.toBeNull();
    expect(await as(withSecret(secret)).rows(READ, [ids.draft])).toHaveLength(1);
    await as(admin).write(`update projects set status = 'active' where id = $1`, [ids.draft]);
    expect(await until()).toBeNull();
    for (let sent = 1; sent <= 6; sent++)
      if (sent <= 5) await as(admin).call(MAIL, [ids.otherUsersDraft]);
      else await as(admin).refused('PT422', MAIL, [ids.otherUsersDraft]);
  });
});
