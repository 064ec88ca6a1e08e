import { describe, expect, it } from 'vitest';
import {
  admin,
  type Chair,
  creator,
  guest,
  ids,
  type Scene,
  type Stage,
  stranger,
  submitter,
  theService,
} from './stage.ts';

const id = (n: number) => `bb000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;

/** Ten experiments, each a day older than the one before; what is not named here is active, without category or tag. */
const KINDS: Record<number, { status?: string; category?: string; tags?: string[] }> = {
  1: { category: 'ai' },
  2: { status: 'draft', category: 'branding', tags: ['ink'] },
  3: {},
  4: { category: 'branding', tags: ['ink'] },
  5: { category: 'ai', tags: ['ink', 'tea'] },
  6: { status: 'completed', category: 'branding' },
  7: { status: 'archived', category: 'branding', tags: ['ink'] },
  8: { category: 'social', tags: ['tea'] },
};

interface Neighbours {
  related: { id: string }[];
  previous: { title: string } | null;
  next: { title: string } | null;
}

/** What stands beside one of them, null for one that is not listed, undefined for one that is hidden. */
async function beside(scene: Scene, chair: Chair, n: number): Promise<Neighbours | null | undefined> {
  const [found] = await scene
    .as(chair)
    .rows<{ neighbours: Neighbours | null }>('select neighbours(projects) from projects where id = $1', [id(n)]);
  return found?.neighbours;
}

export const neighbours = (stage: Stage) =>
  describe('the neighbours of an experiment', () => {
    async function plant({ server }: Scene) {
      await server.query(`update public.projects set status = 'archived' where status in ('active', 'completed')`);
      for (let n = 1; n <= 10; n++) {
        const { status = 'active', category = null, tags = [] } = KINDS[n] ?? {};
        await server.query(
          `insert into public.projects (id, title, status, created_by, created_at)
           values ($1, $2, $3, $4, timestamptz '2026-03-01' - $5 * interval '1 day')`,
          [id(n), `Number ${n}`, status, ids.creator, n],
        );
        await server.query('insert into public.case_study_metadata (project_id, category, tags) values ($1, $2, $3)', [
          id(n),
          category,
          tags,
        ]);
      }
    }

    it('are the same for everybody: its category first, then its tags, then the newest, and none that is not listed', () =>
      stage.play(async (scene) => {
        await plant(scene);
        for (const chair of [guest, submitter, stranger, creator, admin, theService]) {
          const related = async (n: number) =>
            ((await beside(scene, chair, n))?.related ?? []).map((row) => Number(row.id.slice(-2)));
          expect(await related(4)).toEqual([6, 5, 1]);
          expect(await related(5)).toEqual([1, 4, 8]);
          expect(await related(3)).toEqual([1, 4, 5]);
          expect(await related(2)).toEqual([]);
          expect(await related(7)).toEqual([]);
          expect(await related(99)).toEqual([]);
        }
      }));

    it('are the next newer and the next older one of the list, also among those of one moment', () =>
      stage.play(async (scene) => {
        await plant(scene);
        await scene.server.query('update public.projects set created_at = $1 where id in ($2, $3)', [
          '2026-02-24T00:00:00Z',
          id(5),
          id(6),
        ]);
        for (const chair of [guest, creator, admin, theService]) {
          const pointed = async (n: number) => {
            const { previous, next } = (await beside(scene, chair, n)) ?? {};
            return [previous?.title ?? null, next?.title ?? null];
          };
          expect(await pointed(1)).toEqual([null, 'Number 3']);
          expect(await pointed(3)).toEqual(['Number 1', 'Number 4']);
          expect(await pointed(4)).toEqual(['Number 3', 'Number 6']);
          expect(await pointed(6)).toEqual(['Number 4', 'Number 5']);
          expect(await pointed(10)).toEqual(['Number 9', null]);
          expect(await pointed(2)).toEqual([null, null]);
          expect(await pointed(7)).toEqual([null, null]);
        }
      }));
  });
