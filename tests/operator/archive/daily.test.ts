import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readArchiveState } from '../../../packages/backend/archive/archive-checks.ts';
import { makeDailyArchive, startDailyArchives } from '../../../packages/backend/archive/daily-archives.ts';
import { readConfig } from '../../../packages/backend/config/config.ts';
import type { BackendContext } from '../../../packages/backend/context.ts';
import { engines, silent } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { startServer } from '../../server.ts';
import { archive } from './command.ts';

const server = forAllTests(() => startServer({ SEED: 'none' }));

const make = async (path: string) => {
  const { code, output } = await archive(server.dataDir, 'make', path);
  if (code !== 0) throw new Error(output);
};
const archives = async () =>
  (await readdir(join(server.dataDir, 'archives'))).filter((name) => name.includes('.tar')).sort();

describe('the daily archive (D11)', () => {
  it('is created by the running server when the newest is a day old, and seven are kept', async () => {
    const folder = join(server.dataDir, 'archives');
    await mkdir(folder, { recursive: true });
    const old = Array.from({ length: 8 }, (_, at) => `2026010${at + 1}T030000Z.tar`);
    for (const name of [...old, '20260102T030000Z.tar.4194999.part']) await writeFile(join(folder, name), 'old');
    await expect(makeDailyArchive(folder, 7, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
    expect(await archives(), 'nothing goes before a new one is there').toEqual(old);

    await makeDailyArchive(folder, 7, make);
    const kept = await archives();
    expect(kept).toEqual([...old.slice(2), expect.stringMatching(/^\d{8}T\d{6}Z\.tar$/)]);
    expect((await archive(server.dataDir, 'check', join(folder, kept.at(-1)!))).code).toBe(0);

    await makeDailyArchive(folder, 7, () => Promise.reject(new Error('made again')));
    expect(await archives()).toEqual(kept);

    await rename(join(folder, kept.at(-1)!), join(folder, '30000101T030000Z.tar'));
    await expect(makeDailyArchive(folder, 7, () => Promise.reject(new Error('made again')))).rejects.toThrow();
  });

  it('is reported on the Help page when it fails', async () => {
    const database = await engines[0].open({ migrated: true });
    const dataDir = join(server.dataDir, 'no-installation');
    await mkdir(join(dataDir, 'archives'), { recursive: true });
    const { backend } = readConfig({ DATA_DIR: dataDir });
    await database.db.query("insert into internal.schedule (name, due_at) values ('archive', now())");
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const before = process.env['DATA_DIR'];
    process.env['DATA_DIR'] = dataDir;
    const stop = startDailyArchives({ config: { dataDir, backend }, db: database.db, log: silent } as BackendContext);
    try {
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await expect.poll(async () => (await readArchiveState(database.db)).failedAt).toMatch(/^20/);
    } finally {
      vi.useRealTimers();
      if (before === undefined) delete process.env['DATA_DIR'];
      else process.env['DATA_DIR'] = before;
      await stop();
      await database.end();
    }
  });
});
