import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database, Value } from '../../packages/backend/database/database.ts';
import { queryAsCaller, runAsCaller } from '../../packages/backend/database/run-as-caller.ts';
import { admin, creator, guest, ids, submitter } from './actors.ts';
import { onStage, storeFile, submitDraft } from './stage.ts';

const hold = {
  project: 'select from public.projects where id = $1 for no key update',
  texts: 'select from public.case_study_metadata where project_id = $1 for update',
  turn: 'select from private.project_register where project_id = $1 for no key update',
};

/**
 * Runs a statement in a transaction that keeps its locks.
 * @returns a function that ends the transaction, after another statement if there is one
 */
async function holdLocks(db: Database, text: string, values: readonly Value[]) {
  const isHeld = Promise.withResolvers<void>();
  const last = Promise.withResolvers<string | undefined>();
  const ended = db.transaction(async (tx) => {
    await tx.query(text, values);
    isHeld.resolve();
    const next = await last.promise;
    if (next) await tx.query(next, values);
  });
  await isHeld.promise;
  return (next?: string) => {
    last.resolve(next);
    return ended;
  };
}

export async function waitForBlockedLock(db: Database): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await db.query(waiting)).rows.length === 0) await sleep(10);
}

const REQUEST = { method: 'POST', path: '/', headers: {} };

interface Scene {
  /** The lock another transaction holds, and the statement it runs while the tested one waits. */
  held: keyof typeof hold;
  wanted: keyof typeof hold;
  /** The draft's holder runs the statement instead of an admin. */
  holder?: true;
  act: string;
  prepare?: string;
}

const SCENES: Record<string, Scene> = {
  'resubmitting a draft': {
    held: 'texts',
    wanted: 'turn',
    holder: true,
    prepare: `update public.reviews set state = 'changes_requested' where project_id = $1`,
    act: `select public.send_draft_back(p_project => $1, p_title => 'Changed', p_client => null, p_category => null, p_tags => '{}',
      p_brief => 'B', p_understanding => 'U', p_actions => 'A', p_impact => 'I', p_media => '[{"id": "22222222-0000-4000-8000-000000000002", "url": "https://pictures.example/1.png"}]')`,
  },
  'saving a hidden budget and texts together': {
    held: 'texts',
    wanted: 'turn',
    act: `update public.projects set budget = 5, show_budget = false, impact = 'Much' where id = $1`,
  },
  'saving texts with the procedure': {
    held: 'project',
    wanted: 'texts',
    act: `select public.save_case_study_metadata($1, 'Understood', null, null)`,
  },
  'completing a draft': {
    held: 'project',
    wanted: 'texts',
    holder: true,
    act: `insert into public.case_study_metadata (project_id, impact) values ($1, 'Much')
      on conflict (project_id) do update set impact = excluded.impact`,
  },
  'restoring rows of a project': {
    held: 'project',
    wanted: 'turn',
    prepare: `with hidden as (delete from public.project_budgets where project_id = $1)
      delete from public.project_members where project_id = $1`,
    act: `select private.restore_trash(array(select id from private.trash where project_id = $1))`,
  },
};

/** Lock order, which needs concurrent sessions. These tests commit. */
export const lockOrder = onStage('concurrent change of the same project', (stage) => {
  it.each(Object.entries(SCENES))('%s does not deadlock', async (_name, scene) => {
    const { db } = stage;
    const { held, wanted, prepare, act: statement } = scene;
    const { actor: sender, id } = await submitDraft(stage, 'Shared');
    const actor = scene.holder ? sender : admin;
    await db.query('insert into public.case_study_metadata (project_id) values ($1) on conflict do nothing', [id]);
    await db.query('update public.projects set budget = 7, show_budget = false where id = $1', [id]);
    await db.query(`insert into public.project_members (project_id, name) values ($1, 'Asha')`, [id]);
    if (prepare) await db.query(prepare, [id]);

    const end = await holdLocks(db, hold[held], [id]);
    const waiting = statement.includes('private.')
      ? db.query(statement, [id])
      : runAsCaller(db, actor.caller, { ...REQUEST, headers: actor.headers ?? {} }, (tx) => tx.query(statement, [id]));
    await Promise.race([waiting.catch(() => {}), waitForBlockedLock(db)]);
    const outcomes = await Promise.allSettled([end(hold[wanted]), waiting]);
    const ends = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'done'));
    expect(ends).toEqual(['done', 'done']);
  });

  it('a file that is used again while orphans are removed stays', async () => {
    const { db } = stage;
    const name = `images/${ids.missing}.png`;
    const address = `https://mad.example/storage/v1/object/public/case-studies/${name}`;
    await storeFile(stage.server, name);
    const use = 'insert into public.project_media (project_id, url) values ($1, $2)';
    const end = await holdLocks(db, use, [ids.published, address]);
    const removal = db.query(`select private.remove_objects('1 day')`);
    await waitForBlockedLock(db);
    await Promise.all([end(), removal]);
    expect(await stage.server.rows('select from storage.objects where name = $1', [name])).toHaveLength(1);
  });

  it('does not wait for a lock on a project the caller cannot read', async () => {
    const { db } = stage;
    const end = await holdLocks(db, hold.project, [ids.otherUsersDraft]);
    const text = `insert into case_study_metadata (project_id, impact) values ($1, 'x') on conflict (project_id) do update set impact = 'x'`;
    for (const actor of [guest, submitter, creator])
      for (const id of [ids.otherUsersDraft, ids.missing]) {
        const request = { ...REQUEST, headers: actor.headers ?? {} };
        const limits = { readOnly: false, timeoutMs: 2_000 };
        const statement = queryAsCaller(db, actor.caller, request, { text, values: [id] }, limits);
        await expect(statement).rejects.toMatchObject({ code: '42501' });
      }
    await end();
  });
});
