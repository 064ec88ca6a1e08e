import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { template } from '../../../../tests/database.ts';
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from '../../../../tests/programs/small-disk.ts';

if (smallDiskProblem) console.warn(`The test of the reserved space is skipped: ${smallDiskProblem}.`);

const opening = (disk: SmallDisk, then: string): ChildProcess => {
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { readdirSync } from 'node:fs';
    const { openDatabase } = await import('${import.meta.dirname}/../open-database.ts');
    const { DiskSpace } = await import('${import.meta.dirname}/../../data-dir/disk-space.ts');
    const { createLog } = await import('${import.meta.dirname}/../../http/log.ts');
    const folder = '${disk.folder}/database';
    const writeGuard = { disk: new DiskSpace('${disk.folder}', 64 * 1024 ** 2), isEnforced: () => true };
    const db = await openDatabase({ kind: 'embedded', folder }, { log: createLog('fatal'), writeGuard });
    ${then}`;
  const options = ['--no-warnings', '--input-type=module'];
  const [command, ...words] = [...disk.launcher, process.execPath, ...options, '-e', script];
  return spawn(command!, words, { stdio: ['ignore', 'pipe', 'ignore'] });
};

// Fills the log to the end of its last segment: the next record, written by a recovery, needs a new segment of 1 MB.
const FILL_LOG = `
  await db.script('create table notes (id serial primary key)');
  for (let there = true; there; ) {
    await db.query('insert into notes default values');
    await db.query('select pg_switch_wal()');
    const { rows } = await db.query('select pg_walfile_name(pg_current_wal_lsn() + 1) as next');
    there = readdirSync(folder + '/pg_wal').includes(rows[0].next);
  }
  process.stdout.write('ready');
  await sleep(600_000);`;
const COUNT = `
  const { rows } = await db.query('select count(*) > 0 as kept from notes');
  const refused = await db.query('insert into notes default values').then(() => 'written', ({ code }) => code);
  process.stdout.write(rows[0].kept + ' ' + refused);
  process.kill(process.pid, 'SIGKILL');`;

it.skipIf(smallDiskProblem !== null).each([
  ['opens on a full disk, because reserved space is released, and rejects writes', 'true 53100'],
  ['cannot open on a full disk without reserved space', ''],
])('a killed database %s (D7)', async (_, outcome) => {
  const disk = await mountSmallDisk(160);
  const reservedFile = disk.path('database.ballast');
  try {
    execFileSync('cp', ['-a', await template(), disk.path('database')]);
    const first = opening(disk, FILL_LOG);
    await once(first.stdout!, 'data');
    if (outcome) await expect.poll(() => existsSync(reservedFile), { timeout: 30_000 }).toBe(true);
    disk.fill();
    first.kill('SIGKILL');
    await once(first, 'exit');
    disk.fill();
    expect(await text(opening(disk, COUNT).stdout!)).toBe(outcome);
    expect(existsSync(reservedFile)).toBe(false);
  } finally {
    await disk.end();
  }
});
