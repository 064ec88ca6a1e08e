import { expect } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, submitter, theService } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

const id = (n: number) => `bb000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;

/** Status of some of ten experiments, each a day older than the previous one; the others are active. */
const STATUS: Record<number, string> = { 2: 'draft', 6: 'completed', 7: 'archived' };

const NEIGHBOURS = 'select neighbours(projects) from projects where id = $1';
/** Null for a project that is not listed, undefined for a hidden one. */
const neighboursOf = ({ as }: Scene, actor: Actor, n: number) =>
  as(actor).value<{ next: { title: string } | null } | null | undefined>(NEIGHBOURS, [id(n)]);

export const neighbours = onStage('next experiment', ({ test }) => {
  async function plant({ server }: Scene) {
    await server.query(`update projects set status = 'archived' where status in ('active', 'completed')`);
    for (let n = 1; n <= 10; n++) {
      const INSERT = `insert into projects (id, title, status, created_by, created_at)
        values ($1, $2, $3, $4, timestamptz '2026-03-01' - $5 * interval '1 day')`;
      await server.query(INSERT, [id(n), `Number ${n}`, STATUS[n] ?? 'active', ids.creator, n]);
    }
  }

  test('is the next older one of the list, and the newest after the oldest, for every caller', async (scene) => {
    await plant(scene);
    const SAME_TIME = 'update projects set created_at = $1 where id in ($2, $3)';
    await scene.server.query(SAME_TIME, ['2026-02-24T00:00:00Z', id(5), id(6)]);
    for (const actor of [guest, submitter, otherUser, creator, admin, theService]) {
      const nextOf = async (n: number) => (await neighboursOf(scene, actor, n))?.next?.title ?? null;
      const titles = { 1: 'Number 3', 3: 'Number 4', 4: 'Number 6', 6: 'Number 5', 10: 'Number 1' };
      for (const [n, title] of Object.entries(titles)) expect(await nextOf(Number(n)), n).toBe(title);
      for (const n of [2, 7, 99]) expect(await nextOf(n), `${n}`).toBeNull();
    }
  });

  test('is null for the only experiment', async ({ scene, server }) => {
    await plant(scene);
    await server.query(`update projects set status = 'archived' where id <> $1`, [id(1)]);
    expect(await neighboursOf(scene, guest, 1)).toMatchObject({ next: null });
  });
});
