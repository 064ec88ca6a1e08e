import { expect, it } from 'vitest';
import { postgresql } from '../../../tests/database.ts';
import { forAllTests } from '../../../tests/for-all-tests.ts';
import { ensureSetupKey, setupKeyPrinted } from './setup-key.ts';

const database = forAllTests(() => postgresql.open({ migrated: true }));

const fits = async (key: string) =>
  (await database.db.query<{ fits: boolean }>('select private.setup_key_fits($1) as fits', [key])).rows[0]!.fits;

it('C19: the setup key is regenerated if the process ended before printing it, but not after', async () => {
  const lost = await ensureSetupKey(database.db, null);
  expect(lost).toMatch(/^[\w-]{32}$/);
  const printed = await ensureSetupKey(database.db, null);
  expect(printed).toMatch(/^[\w-]{32}$/);
  expect(printed).not.toBe(lost);
  expect([await fits(lost!), await fits(printed!)]).toEqual([false, true]);
  await setupKeyPrinted(database.db, printed!);
  expect(await ensureSetupKey(database.db, null)).toBeNull();
  expect(await fits(printed!)).toBe(true);
});

it('C7: a setup key replaced by the operator persists over restarts without being printed', async () => {
  const key = 'the key of the operator';
  expect(await ensureSetupKey(database.db, key)).toBeNull();
  expect(await ensureSetupKey(database.db, null)).toBeNull();
  expect(await fits(key)).toBe(true);
});
