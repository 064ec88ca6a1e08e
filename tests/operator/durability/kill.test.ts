import { rm } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { freePort } from '../../free-port.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { folderOnDisk } from '../../scratch.ts';
import { startServer } from '../../server.ts';
import { expectAllStored, instanceOf, newPerson, type SubmissionLog, submit, submitWhile } from './submitters.ts';

it.each([
  ['the embedded engine', 5],
  ['PostgreSQL', 3],
])(
  'SUBMIT-38, SUBMIT-39, SUBMIT-40, D1: with %s every acknowledged step of guests and users survives %d kills',
  {
    timeout: 600_000,
  },
  async (engine, kills) => {
    const folder = folderOnDisk();
    const postgres = engine === 'PostgreSQL' ? await startPostgres() : null;
    // Always the same port, because sessions belong to one URL.
    const settings = { SEED: 'none', TRUST_PROXY: '1', PORT: String(await freePort()) };
    const start = () => startServer({ ...settings, ...(postgres && { DATABASE_URL: postgres.url }) }, folder);
    let server = await start();
    try {
      const log: SubmissionLog[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const { process: running } = server;
        const before = log.length;
        const instance = await instanceOf(server, folder);
        const user = await newPerson(instance);
        const isRunning = () => running.exitCode === null && running.signalCode === null;
        const submitters = [null, null, user].map((by) => submitWhile(isRunning, instance, by, log));
        await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 500));
        // On a busy machine perhaps no submission has succeeded yet.
        const through = () => new Set(log.slice(before).flatMap(({ isComplete, by }) => (isComplete ? [by] : [])));
        await expect.poll(() => through().size, { timeout: 60_000, interval: 20 }).toBe(2);
        await server.stop({ keep: true, signal: 'SIGKILL' });
        await Promise.all(submitters);
        server = await start();
        const again = await instanceOf(server, folder);
        await expectAllStored(again, log.slice(before));
        for (const one of log.slice(before).filter(({ isComplete }) => !isComplete))
          await vi.waitFor(() => submit(again, one), { timeout: 60_000, interval: 500 });
      }
      // Data that survived one kill must survive all later ones.
      await expectAllStored(await instanceOf(server, folder), log);
    } finally {
      await server.stop({ keep: true, signal: 'SIGKILL' });
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
