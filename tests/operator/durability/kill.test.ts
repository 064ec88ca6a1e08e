import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyMigratedTemplate, startMigratedPostgres } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import type { TestPostgres } from '../../programs/postgres.ts';
import { folderOnDisk } from '../../scratch.ts';
import { keysIn, type RunningServer, startServer } from '../../server.ts';
import { expectAllStored, newPerson, type SubmissionLog, submit, submitWhile } from './submitters.ts';

const PLANNED = 90;

describe.each([
  ['the embedded engine', 3],
  ['PostgreSQL', 2],
])('with %s', (engine, kills) => {
  const folder = folderOnDisk();
  let postgres: TestPostgres | undefined;
  let settings: Record<string, string>;
  let server: RunningServer;
  const start = async (more: Record<string, string> = {}) => {
    server = await startServer({ ...settings, ...more }, folder);
  };
  const kill = () => server.stop({ keep: true, signal: 'SIGKILL' });
  beforeAll(async () => {
    if (engine === 'PostgreSQL') postgres = await startMigratedPostgres();
    else await copyMigratedTemplate(join(folder, 'database'));
    // Always the same port, because sessions belong to one URL.
    const PORT = String(await freePort());
    settings = { SEED: 'none', TRUST_PROXY: '1', PORT, ...(postgres && { DATABASE_URL: postgres.url }) };
    await start();
  });
  afterAll(async () => {
    await server?.stop({ keep: true, signal: 'SIGKILL' });
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(`every acknowledged step of guests and users survives ${kills} kills (SUBMIT-38, SUBMIT-39, SUBMIT-40, D1)`, async () => {
    const log: SubmissionLog[] = [];
    for (let round = 0; round < kills; round++) {
      const before = log.length;
      const instance = server;
      const { process: running } = instance;
      const user = await newPerson(instance);
      const isRunning = () => running.exitCode === null && running.signalCode === null;
      const submitters = [null, null, user].map((by) => submitWhile(isRunning, instance, by, log));
      await sleep(60 + Math.random() * 500);
      // On a busy machine perhaps no submission has succeeded yet.
      const through = () => new Set(log.slice(before).flatMap(({ isComplete, by }) => (isComplete ? [by] : [])));
      await expect.poll(() => through().size, { interval: 20 }).toBe(2);
      await kill();
      await Promise.all(submitters);
      // Two processes are due to carry out the planned changes of the next test.
      await start(postgres && round === kills - 1 ? { WORKERS: '2' } : {});
      const again = server;
      await expectAllStored(again, log.slice(before));
      for (const one of log.slice(before).filter(({ isComplete }) => !isComplete))
        await vi.waitFor(() => submit(again, one), { timeout: 60_000, interval: 500 });
    }
    // Data that survived one kill must survive all later ones.
    await expectAllStored(server, log);
  });

  it('each scheduled publication is carried out once, also those missed while the server was down', async () => {
    const { base } = server;
    const { secret } = keysIn(folder);
    const headers = { apikey: secret, authorization: `Bearer ${secret}` };
    const data = new PostgrestClient(`${base}/rest/v1`, { headers });
    const drafts = Array.from({ length: PLANNED }, (_, n) => ({ title: `Due ${n}`, status: 'draft' }));
    const { data: projects } = await data.from('projects').insert(drafts).select('id').throwOnError();
    const due = Date.now() + 30_000;
    const p_at = new Date(due).toISOString();
    for (const { id } of projects!)
      await data.rpc('plan_change', { p_kind: 'publish', p_at, p_project: id }).throwOnError();
    await sleep(due - Date.now());
    const published = async () => (await data.from('projects').select('number').neq('status', 'draft')).data ?? [];
    await expect.poll(async () => (await published()).length, { timeout: 90_000, interval: 5 }).toBeGreaterThan(0);
    expect((await published()).length, 'published before the kill').toBeLessThan(PLANNED);
    await kill();
    await start(postgres && { WORKERS: '2' });
    await expect.poll(async () => (await published()).length, { timeout: 120_000 }).toBe(PLANNED);
    const numbers = (await published()).map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(projects!.map((_, n) => n + 1));
    const { data: log } = await data.from('audit_log').select('object').eq('action', 'projects.publish').throwOnError();
    expect(log!.map(({ object }) => object).sort()).toEqual(projects!.map(({ id }) => id).sort());
    expect((await data.from('planned_changes').select('id')).data).toEqual([]);
  });
});
