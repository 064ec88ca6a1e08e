import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgrestClient } from '@supabase/postgrest-js';
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
  'with %s every acknowledged step of guests and users survives %d kills (SUBMIT-38, SUBMIT-39, SUBMIT-40, D1)',
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

it.each(['the embedded engine', 'PostgreSQL'])(
  'with %s each scheduled publication is carried out once, also those missed while the server was down',
  { timeout: 600_000 },
  async (engine) => {
    const folder = folderOnDisk();
    const postgres = engine === 'PostgreSQL' ? await startPostgres() : null;
    const settings = { SEED: 'none', ...(postgres && { DATABASE_URL: postgres.url, WORKERS: '2' }) };
    let server = await startServer(settings, folder);
    const dataOf = async () => {
      const { base, secret } = await instanceOf(server, folder);
      return new PostgrestClient(`${base}/rest/v1`, { headers: { apikey: secret, authorization: `Bearer ${secret}` } });
    };
    const COUNT = 90;
    try {
      let data = await dataOf();
      const drafts = Array.from({ length: COUNT }, (_, n) => ({ title: `Due ${n}`, status: 'draft' }));
      const { data: projects } = await data.from('projects').insert(drafts).select('id').throwOnError();
      const due = Date.now() + 30_000;
      const p_at = new Date(due).toISOString();
      for (const { id } of projects!)
        await data.rpc('plan_change', { p_kind: 'publish', p_at, p_project: id }).throwOnError();
      await sleep(due - Date.now());
      const published = async () => (await data.from('projects').select('number').neq('status', 'draft')).data ?? [];
      await expect.poll(async () => (await published()).length, { timeout: 90_000, interval: 5 }).toBeGreaterThan(0);
      expect((await published()).length, 'published before the kill').toBeLessThan(COUNT);
      await server.stop({ keep: true, signal: 'SIGKILL' });
      server = await startServer(settings, folder);
      data = await dataOf();
      await expect.poll(async () => (await published()).length, { timeout: 120_000 }).toBe(COUNT);
      const numbers = (await published()).map(({ number }) => number).sort((a, b) => a - b);
      expect(numbers).toEqual(projects!.map((_, n) => n + 1));
      const { data: log } = await data
        .from('audit_log')
        .select('object')
        .eq('action', 'projects.publish')
        .throwOnError();
      expect(log!.map(({ object }) => object).sort()).toEqual(projects!.map(({ id }) => id).sort());
      expect((await data.from('planned_changes').select('id')).data).toEqual([]);
    } finally {
      await server.stop({ keep: true, signal: 'SIGKILL' });
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
