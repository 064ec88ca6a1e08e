import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { childrenOf } from '../tests/child-processes.ts';
import { clientOf } from '../tests/operator/client.ts';
import { expectSentOnce, findMissing, writeUntil } from '../tests/operator/durability/mail-writers.ts';
import { expectAllStored, submitWhile } from '../tests/operator/durability/submitters.ts';
import { startMailServer } from '../tests/programs/mail-server.ts';
import { startPostgres } from '../tests/programs/postgres.ts';
import { type RunningServer, startServer } from '../tests/server.ts';
import { figure } from './measuring/report.ts';

const KILLS = 200;
/** Every fifth kill hits a server that is starting and migrating. */
const START_EVERY = 5;
const MAIL_MS = 30;
const DELIVERY_MS = 120_000;

/**
 * Repeatedly kills one of two servers on one PostgreSQL and one DATA_DIR during e-mails and submissions, and every fifth
 * time while it starts with a new migration.
 * @param words number of kills, 200 by default
 * @throws Error when anything acknowledged is lost, or an e-mail was sent twice although it was not the last of a killed process
 */
export default async function kills([countArg]: string[]): Promise<void> {
  const count = Number(countArg ?? KILLS);
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-kills-'));
  const project = join(folder, 'supabase');
  await cp('supabase', project, { recursive: true });
  const thinks = () => Math.random() * MAIL_MS;
  const [database, mails] = await Promise.all([startPostgres(), startMailServer({ thinks })]);
  const dataDir = join(folder, 'data');
  const common = { SEED: 'none', TRUST_PROXY: '1', SITE_URL: 'http://madhouse.example', LOG_LEVEL: 'silent' };
  const settings = { ...common, DATABASE_URL: database.url, SUPABASE_DIR: project };
  const servers: RunningServer[] = [];
  const killed: string[] = [];
  const names = new Map<RunningServer, string>();
  let started = 0;
  const start = async () => {
    const name = `process-${++started}`;
    const server = await startServer({ ...settings, SMTP_URL: `${mails.url}?name=${name}` }, dataDir);
    names.set(server, name);
    return server;
  };
  const startedAt = performance.now();
  try {
    servers.push(await start(), await start());
    const acknowledged: string[] = [];
    const submitted: Parameters<typeof submitWhile>[3] = [];
    const migrations: string[] = [];
    for (let kill = 0; kill < count; kill++) {
      const at = kill % 2;
      const victim = servers[at]!;
      if (kill % START_EVERY === START_EVERY - 1) {
        killed.push(names.get(victim)!);
        await victim.stop({ signal: 'SIGKILL', keep: true });
        const version = `2099${String(kill).padStart(10, '0')}`;
        const table = `create table public.kill_${version} (id int); insert into public.kill_${version} values (1);`;
        await writeFile(join(project, 'migrations', `${version}_kill.sql`), `-- expand\n${table}\n`);
        migrations.push(version);
        await killStarting(start);
        killed.push(`process-${started}`);
      } else {
        const before = mails.accepted.length;
        let isDone = false;
        const isRunning = () => !isDone;
        const writing = servers.map((server) => writeUntil(clientOf(server), () => isDone));
        const submitting = submitWhile(isRunning, servers[1 - at]!, null, submitted);
        while (mails.accepted.length < before + 2) await sleep(5);
        await sleep(Math.random() * 250);
        killed.push(names.get(victim)!);
        await victim.stop({ signal: 'SIGKILL', keep: true });
        isDone = true;
        acknowledged.push(...(await Promise.all(writing)).flat());
        await submitting;
      }
      servers[at] = await start();
    }
    const deadline = performance.now() + DELIVERY_MS;
    while (findMissing(mails, acknowledged).length && performance.now() < deadline) await sleep(100);
    const missing = findMissing(mails, acknowledged);
    const delivered = acknowledged.filter((name) => !missing.includes(name));
    expectSentOnce(mails, delivered, killed);
    const duplicates = mails.accepted.length - new Set(mails.accepted.map(({ id }) => id)).size;
    await expectAllStored(servers[0]!, submitted);
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    const recorded = await sql`select from supabase_migrations.schema_migrations where version = any(${migrations})`;
    const rows = await Promise.all(migrations.map((one) => sql.unsafe(`select from public.kill_${one}`)));
    await sql.end();
    const minutes = (performance.now() - startedAt) / 60_000;
    figure('kills', `${count} in ${minutes.toFixed(1)} minutes, ${migrations.length} of them during a start`);
    const twice = `${duplicates} sent twice, each the last of a killed process`;
    figure('mails', `${acknowledged.length} acknowledged, ${missing.length} lost, ${twice}`);
    figure('submissions', `${submitted.filter(({ isComplete }) => isComplete).length} complete, 0 lost`);
    const applied = rows.filter((matches) => matches.length === 1).length;
    figure('migrations', `${migrations.length}, ${recorded.length} recorded, ${applied} applied once`);
    if (missing.length) throw new Error(`E-mails were lost: ${missing.join(', ')}`);
    if (recorded.length !== migrations.length || applied !== migrations.length)
      throw new Error('A migration was lost, incomplete or applied twice');
  } finally {
    for (const server of servers) await server.stop({ signal: 'SIGKILL', keep: true });
    await mails.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills a server at a random moment between the start of its process and its first response. */
async function killStarting(start: () => Promise<unknown>): Promise<void> {
  const before = childrenOf(process.pid);
  const startedAt = performance.now();
  const starting = start()
    .then(() => performance.now() - startedAt)
    .catch(() => null);
  let pid: number | undefined;
  while (!pid) {
    await sleep(1);
    pid = childrenOf(process.pid).find((one) => !before.includes(one));
  }
  await Promise.race([starting, sleep(Math.random() * startMs)]);
  process.kill(pid, 'SIGKILL');
  startMs = (await starting) ?? startMs;
}
/** Duration of the last start in milliseconds. */
let startMs = 3_000;
