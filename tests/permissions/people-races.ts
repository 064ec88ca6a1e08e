import { expect, it } from 'vitest';
import { admin, ids } from './actors.ts';
import { endsOf, GRANT, onStage } from './stage.ts';

const ADMINS = `select held.user_id from public.user_roles held join public.roles on roles.id = held.role_id
  join auth.users account on account.id = held.user_id
  where name = 'admin' and (account.banned_until is null or account.banned_until <= now())`;

/** Races commit; each test restores the fixtures. */
export const peopleRaces = onStage('concurrent administration', (stage) => {
  it('keeps one admin when admins ban, delete and demote each other (AUSERS-01, TM-18)', async () => {
    const ways = [
      (id: string) => `update auth.users set banned_until = now() + interval '1 day' where id = '${id}'`,
      (id: string) => `delete from public.user_roles where user_id = '${id}'`,
      (id: string) => `update auth.users set deleted_at = now() where id = '${id}'`,
    ];
    for (const [one, other] of [
      [ways[0]!, ways[1]!],
      [ways[1]!, ways[0]!],
      [ways[1]!, ways[1]!],
      [ways[0]!, ways[2]!],
      [ways[1]!, ways[2]!],
    ] as const) {
      await stage.db.query(GRANT, [ids.creator, 'admin']);
      const outcomes = await stage.race([{ text: one(ids.creator) }, { text: other(ids.admin) }]);
      expect(endsOf(outcomes)).toEqual(['fulfilled', 'rejected']);
      const refusal = outcomes.find((outcome) => outcome.status === 'rejected') as PromiseRejectedResult;
      expect(String(refusal.reason)).toContain('The last admin cannot be removed.');
      expect(await stage.server.rows(ADMINS)).toHaveLength(1);
      const RESTORE_BOTH = `update auth.users set banned_until = null, deleted_at = null where id = any($1)`;
      await stage.db.query(RESTORE_BOTH, [[ids.admin, ids.creator]]);
      await stage.db.query('update auth.users set email = email where id = any($1)', [[ids.admin, ids.creator]]);
      await stage.db.query(`${GRANT} on conflict do nothing`, [ids.admin, 'admin']);
      await stage.db.query(`delete from public.user_roles where user_id = '${ids.creator}'`);
    }
  });

  it('restores a project once for two concurrent restores', async () => {
    const PLANT = `insert into public.projects (title) values ('Brought back twice') returning id`;
    const id = await stage.server.value<string>(PLANT);
    const ADD_MEDIA = `insert into public.project_media (project_id, url) select $1, 'https://pictures.example/' || n from generate_series(1, 3) n`;
    await stage.db.query(ADD_MEDIA, [id]);
    await stage.db.query('delete from public.projects where id = $1', [id]);
    const rival = { actor: admin, text: 'select public.restore_from_trash(projects => $1) as answer', values: [[id]] };
    const outcomes = await stage.race([rival, rival, rival]);
    const counts = outcomes.map(
      (outcome) => outcome.status === 'fulfilled' && (outcome.value as { projects: number }).projects,
    );
    expect(counts.sort()).toEqual([0, 0, 1]);
    const media = await stage.db.query('select from public.project_media where project_id = $1', [id]);
    expect(media.rows).toHaveLength(3);
    expect(await stage.server.rows('select from private.trash where project_id = $1', [id])).toEqual([]);
    await stage.db.query('delete from public.projects where id = $1', [id]);
    await stage.db.query('delete from private.trash where project_id = $1', [id]);
  });
});
