import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../packages/backend/database/database.ts';
import { ensureSetupKey, setupKeyPrinted } from '../../packages/backend/keys/setup-key.ts';
import { engines } from '../database.ts';

describe.each(engines)('the setup key on $name', ({ open }) => {
  let db: Database;
  let end: () => Promise<void>;
  beforeAll(async () => {
    ({ db, end } = await open({ migrated: true }));
  });
  afterAll(() => end?.());

  const fits = async (key: string) =>
    (await db.query<{ fits: boolean }>('select private.setup_key_fits($1) as fits', [key])).rows[0]!.fits;

  it('C19: is regenerated if the process ended before it was printed, but not afterwards', async () => {
    const lost = await ensureSetupKey(db, null);
    expect(lost).toMatch(/^[\w-]{32}$/);
    const printed = await ensureSetupKey(db, null);
    expect(printed).toMatch(/^[\w-]{32}$/);
    expect(printed).not.toBe(lost);
    expect([await fits(lost!), await fits(printed!)]).toEqual([false, true]);
    await setupKeyPrinted(db, printed!);
    expect(await ensureSetupKey(db, null)).toBeNull();
    expect(await fits(printed!)).toBe(true);
  });

  it('C7: replaced by the operator persists over restarts without being printed', async () => {
    const key = 'the key of the operator';
    expect(await ensureSetupKey(db, key)).toBeNull();
    expect(await ensureSetupKey(db, null)).toBeNull();
    expect(await fits(key)).toBe(true);
  });
});
