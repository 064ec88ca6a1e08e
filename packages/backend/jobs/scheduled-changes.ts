import type { BackendContext } from '../context.ts';
import { hasFunction } from '../database/database.ts';
import { repeat } from '../database/schedule.ts';

const CHECK_MS = 10_000;

/** Every process does it: the database decides which one carries a change out. @returns stops it and waits */
export async function startScheduledChanges({ db, log }: BackendContext): Promise<() => Promise<void>> {
  if (!(await hasFunction(db, 'private.publish_next_due()'))) return async () => {};
  let isFailing = false;
  async function carryOutDue(): Promise<void> {
    try {
      for (;;) {
        const text = 'select * from private.publish_next_due()';
        const { rows } = await db.query<{ object: string; refused: string | null }>(text);
        isFailing = false;
        if (!rows[0]) return;
        const { object, refused } = rows[0];
        if (refused) log.warn({ object, reason: refused }, 'scheduled change refused: an admin has to decide');
        else log.info({ object }, 'scheduled change carried out');
      }
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'scheduled changes wait for the database');
      isFailing = true;
    }
  }
  return repeat(carryOutDue, CHECK_MS, true);
}
