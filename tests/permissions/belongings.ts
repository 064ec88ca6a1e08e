import { describe, expect, it } from 'vitest';
import { admin, creator, guest, ids, otherUser, submitter, theService } from './actors.ts';
import { onStage } from './stage.ts';

const everybody = { guest, otherUser, creator, submitter, admin, theService };

export const belongings = onStage('rows of a project', ({ test, play }) => {
  it.each(['project_media', 'case_study_metadata', 'project_members'])(
    '%s are visible to everyone who can read the project (PERM-12, DETAIL-17)',
    (table) =>
      play(async ({ as }) => {
        const seen: Record<string, string[]> = {};
        for (const [name, actor] of Object.entries(everybody)) {
          const rows = await as(actor).rows<{ project_id: string }>(`select project_id from ${table}`);
          seen[name] = rows.map(({ project_id }) => project_id).sort();
        }
        const open = [ids.published, ids.archived];
        const all = [...open, ids.draft, ids.otherUsersDraft, ids.guestsDraft, ids.staleDraft];
        expect(seen).toEqual({
          guest: open,
          otherUser: [...open, ids.otherUsersDraft],
          creator: [...open, ids.draft],
          submitter: [...open, ids.guestsDraft],
          admin: all,
          theService: all,
        });
      }),
  );

  describe('media items', () => {
    test('never move to another project, not even by an upsert', async ({ as }) => {
      const move = `update project_media set project_id = '${ids.archived}' where project_id = $1`;
      await as(admin).refused('PT400', move, [ids.published]);
      await as(admin).refused('PT400', `update project_media set id = gen_random_uuid()`);
      const same = `insert into project_media (id, project_id, type, url, "order")
        select id, project_id, type, url, 7 from project_media where project_id = $1
        on conflict (id) do update set id = excluded.id, project_id = excluded.project_id, type = excluded.type, "order" = excluded."order"`;
      expect(await as(admin).write(same, [ids.published])).toBe(1);
    });

    test('with an id of another project are neither changed nor disclosed (TM-21)', async ({ as, server }) => {
      const existingId = await server.value<string>(`select id from project_media where project_id = $1`, [ids.draft]);
      const upsert = `insert into project_media (id, project_id, url) values ($1, '${ids.guestsDraft}', 'https://evil.example/x.png')
        on conflict (id) do nothing`;
      expect(await as(submitter).write(upsert, [existingId])).toBe(1);
      const unchanged = { project_id: ids.draft, url: `https://pictures.example/${ids.draft}.png` };
      const read = 'select project_id, url from project_media where id = $1';
      expect(await server.rows(read, [existingId])).toEqual([unchanged]);
    });

    test('have one of three types and an http address without credentials (ENT-11, TM-32)', async ({ as }) => {
      const INSERT = `insert into project_media (project_id, type, url) values ('${ids.published}', $1, $2)`;
      for (const type of ['image', 'video', 'demo'])
        expect(await as(admin).write(INSERT, [type, 'https://pictures.example/a.png?b=c#d'])).toBe(1);
      for (const [type, url] of [
        ['audio', 'https://pictures.example/a.mp3'],
        ['image', 'javascript:alert(1)'],
        ['image', 'data:image/png;base64,AA'],
        ['image', 'https://user:password@pictures.example/a.png'],
        ['image', '//pictures.example/a.png'],
        ['image', 'https://'],
        ['image', ''],
        ['image', `https://pictures.example/${'a'.repeat(2048)}`],
      ] as const)
        await as(admin).refused('23514', INSERT, [type, url]);
    });

    test('take their dimensions from the stored file only', async ({ as, server }) => {
      const name = 'images/0f0f0f0f-0000-4000-8000-000000000001.png';
      const url = `https://mad.example/storage/v1/object/public/case-studies/${name}`;
      const INSERT = `insert into project_media (project_id, url) values ($1, $2) returning width, height, placeholder, animated, provenance`;
      const unmeasured = { width: null, height: null, placeholder: null, animated: null, provenance: null };
      expect(await as(admin).rows(INSERT, [ids.published, url])).toEqual([unmeasured]);
      const provenance = { source: 'digitalCreation' };
      const stored = { width: 1200, height: 800, placeholder: 'data:,', animated: false, provenance };
      const STORE = `insert into storage.objects (bucket_id, name, metadata) values ('case-studies', $1, $2)`;
      await server.query(STORE, [name, stored]);
      expect(await as(admin).rows(INSERT, [ids.published, url])).toEqual([stored]);
      const MEASURED =
        'select distinct width, height, placeholder, animated, provenance from project_media where url = $1';
      expect(await server.rows(MEASURED, [url])).toEqual([stored]);
      const owns = [
        'width) values ($1, $2, 1)',
        'animated) values ($1, $2, true)',
        `provenance) values ($1, $2, '{}')`,
      ];
      for (const actor of [submitter, admin])
        for (const own of owns)
          await as(actor).refused('42501', `insert into project_media (project_id, url, ${own}`, [
            ids.guestsDraft,
            url,
          ]);
      const SET_OWN = `update project_media set provenance = '{}', animated = false where url = $1`;
      for (const actor of [submitter, creator, admin]) await as(actor).refused('42501', SET_OWN, [url]);
    });
  });

  describe('project texts', () => {
    test('never move to another project', async ({ as, server }) => {
      await server.query('delete from case_study_metadata where project_id = $1', [ids.archived]);
      const move = `update case_study_metadata set project_id = '${ids.archived}' where project_id = $1`;
      await as(submitter).refused('PT400', move, [ids.guestsDraft]);
      await as(creator).refused('PT400', move, [ids.draft]);
      await as(admin).refused('PT400', move, [ids.published]);
    });
  });

  describe('project team', () => {
    test('shows names and shares to guests and other users, and email addresses to admins (TM-23, PDET-05)', async (scene) => {
      const { as } = scene;
      const read = `select m.*, (select email from profiles where profiles.id = m.user_id) as email from project_members m where project_id = $1`;
      for (const actor of [creator, otherUser]) {
        const [row] = await as(actor).rows<{ user_id: string; email: string | null }>(read, [ids.published]);
        expect(row).toMatchObject({ name: 'Terry', role: 'Idea', contribution_percentage: '5.00' });
        expect(row!.user_id).not.toBe(ids.otherUser);
        expect(row!.email).toBe(actor === otherUser ? 'terry@example.com' : null);
      }
      const [member] = await as(guest).rows('select * from project_members where project_id = $1', [ids.published]);
      expect(JSON.stringify(member)).not.toMatch(new RegExp(`${ids.otherUser}|@`));
      expect(await as(admin).rows(read, [ids.published])).toMatchObject([{ email: 'terry@example.com' }]);
    });

    test('keeps a member’s name when the account is deleted', async ({ as, server }) => {
      await server.query('delete from auth.users where id = $1', [ids.otherUser]);
      const MEMBERS = 'select user_id, name from project_members where project_id = $1';
      expect(await as(admin).rows(MEMBERS, [ids.published])).toEqual([{ user_id: null, name: 'Terry' }]);
    });

    test('accepts shares from 0 to 100 percent', async ({ as }) => {
      for (const share of [-1, 100.01])
        await as(admin).refused('23514', 'update project_members set contribution_percentage = $1', [share]);
    });
  });
});
