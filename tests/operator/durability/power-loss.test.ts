import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newSecret } from '../../../app/lib/data/ids.ts';
import { newPath } from '../../../packages/backend/tests/storage/files.ts';
import { SHORT_LIVED } from '../../cpu-time.ts';
import { startMigratedPostgres } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import type { TestPostgres } from '../../programs/postgres.ts';
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from '../../programs/small-disk.ts';
import { keysIn, type RunningServer, startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { beginUpload, progressOf, sendPiece } from '../resumable-uploads.ts';
import {
  expectAllStored,
  expectPicture,
  type Instance,
  newPerson,
  type SubmissionLog,
  submit,
  submitWhile,
  upload,
} from './submitters.ts';

if (smallDiskProblem) console.warn(`The tests of lost power are skipped: ${smallDiskProblem}.`);

const DISK_MB = 500;
const PIECE = randomBytes(300_000);

const SETTINGS = { SEED: 'none', TRUST_PROXY: '1', DISK_RESERVE_MB: '96' };

let disk: SmallDisk;
let server: RunningServer | undefined;
let postgres: TestPostgres | undefined;
let port: string;
beforeAll(async () => {
  if (smallDiskProblem) return;
  disk = await mountSmallDisk(DISK_MB);
  port = String(await freePort());
});
afterAll(async () => {
  await stop();
  await disk?.end();
  await postgres?.stop();
});

/** Starts the server unless it runs. Always on the same port, because sessions belong to one URL. */
async function start(): Promise<Instance> {
  const database = postgres && { DATABASE_URL: postgres.url };
  server ??= await startServer({ ...SETTINGS, ...database, PORT: port }, disk.folder, { launcher: disk.launcher });
  return { base: server.base, dataDir: disk.path() };
}

async function stop(): Promise<void> {
  await server?.stop({ keep: true, signal: 'SIGKILL' });
  server = undefined;
}

/** Simulates power loss and restarts the server with the persisted files. @param meanwhile awaited after the server has stopped */
async function restartAfterPowerLoss(meanwhile: Promise<unknown>[] = []): Promise<Instance> {
  disk.losePower();
  await stop();
  await Promise.all(meanwhile);
  disk.restorePower();
  return start();
}

describe.skipIf(smallDiskProblem !== null)('acknowledged writes survive power loss (D2)', () => {
  it('every acknowledged step of guests and users with the embedded engine (SUBMIT-38, SUBMIT-39, SUBMIT-40)', async () => {
    const log: SubmissionLog[] = [];
    // Starts on an empty disk, where the database is created.
    let instance = await start();
    const { publishable } = keysIn(instance.dataDir);
    for (let loss = 0; loss < 2; loss++) {
      const { process: running } = server!;
      const before = log.length;
      const user = await newPerson(instance);
      const isRunning = () => running.exitCode === null && running.signalCode === null;
      const submitters = [null, null, user].map((by) => submitWhile(isRunning, instance, by, log));
      const through = () => new Set(log.slice(before).flatMap(({ isComplete, by }) => (isComplete ? [by] : [])));
      await expect.poll(() => through().size, { interval: 20 }).toBe(2);
      instance = await restartAfterPowerLoss(submitters);
      expect(keysIn(instance.dataDir).publishable).toBe(publishable);
      await expectAllStored(instance, log);
      for (const one of log.slice(before).filter(({ isComplete }) => !isComplete))
        await vi.waitFor(() => submit(instance, one), { timeout: 60_000, interval: 500 });
    }
  });

  it('results of successful commands: an archive, accounts, a new key', async () => {
    const picture = await upload(await start(), null);
    const run = (program: string, ...words: string[]) => {
      const file = `packages/backend/${program}-command.ts`;
      const [command, ...args] = [...disk.launcher, process.execPath, ...SHORT_LIVED, file, ...words];
      return promisify(execFile)(command!, args, { env: { ...process.env, ...SETTINGS, DATA_DIR: disk.folder } });
    };
    const keys = () => readFileSync(disk.path('keys.json'), 'utf8');
    await run('archive/archive', 'make', `${disk.folder}/kept.tar`);
    await stop();
    writeFileSync(disk.path('passphrase'), 'tangerine bicycle');
    const sealed = ['--passphrase-file', `${disk.folder}/passphrase`];
    await run('archive/archive', 'make', `${disk.folder}/accounts.tar`, '--only', 'accounts', ...sealed);
    const made = readFileSync(disk.path('accounts.tar'));
    expect(made.includes('"contents":"accounts"')).toBe(true);
    // Last, because what later commands force would force its folder as well.
    await run('keys/keys', 'rotate');
    const rotated = keys();
    await expectPicture(await restartAfterPowerLoss(), picture);
    expect(keys()).toBe(rotated);
    await run('archive/archive', 'check', `${disk.folder}/kept.tar`);
    expect(readFileSync(disk.path('accounts.tar')).equals(made)).toBe(true);
  });

  it('writes to a failed disk are not acknowledged', async () => {
    const instance = await start();
    const one: SubmissionLog = { secret: newSecret(), by: null, files: [], media: [], isComplete: false };
    disk.losePower();
    for (let turn = 0; turn < 3; turn++) {
      await expect(upload(instance, null)).rejects.toThrow();
      await expect(submit(instance, { ...one, files: ['images/there.png'] })).rejects.toThrow();
    }
    await stop();
    disk.restorePower();
    const again = await start();
    await vi.waitFor(() => submit(again, one), { timeout: 60_000, interval: 500 });
    await expectAllStored(again, [one]);
  });

  it('with a remote PostgreSQL every recorded file and every piece of an upload, by name and content', async () => {
    await stop();
    await disk.end();
    disk = await mountSmallDisk(DISK_MB);
    postgres = await startMigratedPostgres();
    const instance = await start();
    const named = { bucketName: 'case-studies', objectName: newPath(), contentType: 'image/png' };
    const path = await beginUpload(clientOf(instance), named, 2 * PIECE.length);
    expect((await sendPiece(clientOf(instance), path, 0, PIECE)).status).toBe(204);
    const picture = await upload(instance, null);
    const again = await restartAfterPowerLoss();
    await expectPicture(again, picture);
    const progress = await progressOf(clientOf(again), path);
    expect([progress.status, progress.headers.get('upload-offset')]).toEqual([200, String(PIECE.length)]);
  });
});
