import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/database.ts';
import { removeOldCopies } from './database-copies.ts';

it('keeps the newest two copies made before migrations, and deletes no other files (C19)', async () => {
  const { folder, remove } = await temporaryFolder({ onDisk: true });
  try {
    const newest = ['database.before-20260101000000-20260305120000', 'database.before-platform-20260304120000'];
    const older = ['database.before-20260103000000-20260303120000', 'database.before-platform-20250101000000'];
    const oldCopy = 'old-database.before-1-20200101000000';
    const others = ['database', 'database.before-my-holiday', 'database.lockfile', oldCopy];
    for (const name of [...newest, ...older, ...others, 'database.before-recovery', 'database.before-recovery.new-123'])
      await mkdir(join(folder, name));
    await removeOldCopies(join(folder, 'database'));
    expect((await readdir(folder)).sort()).toEqual([...newest, ...others].sort());
  } finally {
    await remove();
  }
});
