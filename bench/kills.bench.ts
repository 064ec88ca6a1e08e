import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { childrenOf } from '../tests/child-processes.ts';
import { uploadMetadata } from '../tests/contract/storage/files.ts';
import { startMailServer } from '../tests/mail-server.ts';
import { expectEachOnce, missingIn, writeUntil } from '../tests/operator/durability/mail-writers.ts';
import { expectAllThere, instanceOf, submitWhile } from '../tests/operator/durability/submitters.ts';
import { startPostgres } from '../tests/programs/postgres.ts';
import { newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { figure } from './measuring/report.ts';

const KILLS = 200;
/** Every fifth kill hits a server that is starting and migrating. */
const START_EVERY = 5;
const MAIL_MS = 30;
const PIECE = 40_000;
const PIECES = 6;
const LEASE_MS = 60_000;
const ARRIVES_MS = 120_000;

/** A resumable upload. Acknowledged bytes must not be lost. */
interface Upload {
  name: string;
  bytes: Buffer;
  /** URL path; null until the server has created the upload. */
  path: string | null;
  /** Bytes acknowledged with 204. */
  kept: number;
}

/**
 * Repeatedly kills one of two servers on one PostgreSQL and one DATA_DIR during e-mails, resumable uploads and
 * submissions, and every fifth time while it starts with a new migration.
 * @param words number of kills, 200 by default
 * @throws Error when anything acknowledged is lost, or an e-mail was sent twice although it was not the last of a killed process
 */
export default async function kills([word]: string[]): Promise<void> {
  const count = Number(word ?? KILLS);
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-kills-'));
  const project = join(folder, 'supabase');
  await cp('supabase', project, { recursive: true });
  const [database, mails] = await Promise.all([
    startPostgres(),
    startMailServer({ thinks: () => Math.random() * MAIL_MS }),
  ]);
  const dataDir = join(folder, 'data');
  const settings = {
    SEED: 'none',
    TRUST_PROXY: '1',
    SITE_URL: 'http://madhouse.example',
    DATABASE_URL: database.url,
    SUPABASE_DIR: project,
    LOG_LEVEL: 'silent',
  };
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
  const begun = performance.now();
  try {
    servers.push(await start(), await start());
    const { publishable, secret } = await instanceOf(servers[0]!, dataDir);
    await post(servers[0]!, '/storage/v1/bucket', secret, { name: 'kills', public: true, file_size_limit: '10MB' });
    const answered: string[] = [];
    const uploads: Upload[] = [];
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
        let over = false;
        const goesOn = () => !over;
        const writing = servers.map((server) => writeUntil(server, publishable, () => over));
        const sending = servers.map((server) => sendWhile(goesOn, server, secret, uploads));
        const submitting = submitWhile(goesOn, await instanceOf(servers[1 - at]!, dataDir), null, submitted);
        while (mails.accepted.length < before + 2) await sleep(5);
        await sleep(Math.random() * 250);
        killed.push(names.get(victim)!);
        await victim.stop({ signal: 'SIGKILL', keep: true });
        over = true;
        answered.push(...(await Promise.all(writing)).flat());
        await Promise.all([...sending, submitting]);
      }
      servers[at] = await start();
    }
    const until = performance.now() + ARRIVES_MS;
    while (missingIn(mails, answered).length && performance.now() < until) await sleep(100);
    const missing = missingIn(mails, answered);
    expectEachOnce(
      mails,
      answered.filter((name) => !missing.includes(name)),
      killed,
    );
    const twice = mails.accepted.length - new Set(mails.accepted.map(({ id }) => id)).size;
    const cut = uploads.filter((upload) => upload.kept < upload.bytes.length);
    for (const upload of cut) await finish(servers[0]!, secret, upload);
    for (const upload of uploads) await expectBytes(servers[1]!, upload);
    await expectAllThere(await instanceOf(servers[0]!, dataDir), submitted);
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    const ran = await sql`select from supabase_migrations.schema_migrations where version = any(${migrations})`;
    const rows = await Promise.all(migrations.map((one) => sql.unsafe(`select from public.kill_${one}`)));
    await sql.end();
    const minutes = (performance.now() - begun) / 60_000;
    figure('kills', `${count} in ${minutes.toFixed(1)} minutes, ${migrations.length} of them during a start`);
    figure(
      'mails',
      `${answered.length} acknowledged, ${missing.length} lost, ${twice} sent twice, each the last of a killed process`,
    );
    figure('resumable uploads', `${uploads.length}, ${cut.length} of them interrupted and resumed, 0 lost`);
    figure('submissions', `${submitted.filter(({ whole }) => whole).length} complete, 0 lost`);
    figure(
      'migrations',
      `${migrations.length}, ${ran.length} recorded, ${rows.filter((found) => found.length === 1).length} applied once`,
    );
    if (missing.length) throw new Error(`E-mails were lost: ${missing.join(', ')}`);
    if (ran.length !== migrations.length || rows.some((found) => found.length !== 1))
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
  const begun = performance.now();
  const starting = start().then(
    () => performance.now() - begun,
    () => null,
  );
  let pid: number | undefined;
  while (!pid) {
    await sleep(1);
    pid = childrenOf(process.pid).find((one) => !before.includes(one));
  }
  await Promise.race([starting, sleep(Math.random() * startTakes)]);
  process.kill(pid, 'SIGKILL');
  startTakes = (await starting) ?? startTakes;
}
/** Duration of the last start in milliseconds. */
let startTakes = 3_000;

const headersOf = (secret: string) => ({
  apikey: secret,
  authorization: `Bearer ${secret}`,
  'tus-resumable': '1.0.0',
  'x-forwarded-for': newAddress(),
});

async function post({ base }: RunningServer, path: string, secret: string, body: object): Promise<void> {
  const headers = { ...headersOf(secret), 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Sends uploads one after the other in pieces; an upload ends with its first piece without a response. */
async function sendWhile(
  goesOn: () => boolean,
  server: RunningServer,
  secret: string,
  uploads: Upload[],
): Promise<void> {
  while (goesOn()) {
    const upload: Upload = { name: randomUUID(), bytes: randomBytes(PIECE * PIECES), path: null, kept: 0 };
    uploads.push(upload);
    await agree(server, secret, upload).catch(() => {});
    while (goesOn() && upload.path && upload.kept < upload.bytes.length)
      if ((await patch(server, secret, upload).catch(() => 0)) !== 204) break;
  }
}

async function agree({ base }: RunningServer, secret: string, upload: Upload): Promise<void> {
  const metadata = uploadMetadata({ bucketName: 'kills', objectName: upload.name });
  const headers = { ...headersOf(secret), 'upload-length': `${upload.bytes.length}`, 'upload-metadata': metadata };
  const answer = await fetch(`${base}/storage/v1/upload/resumable`, { method: 'POST', headers });
  if (answer.status === 201) upload.path = new URL(answer.headers.get('location')!).pathname;
}

/** @returns the status; 204 when the piece was accepted */
async function patch({ base }: RunningServer, secret: string, upload: Upload): Promise<number> {
  const type = { 'content-type': 'application/offset+octet-stream' };
  const answer = await fetch(base + upload.path, {
    method: 'PATCH',
    headers: { ...headersOf(secret), ...type, 'upload-offset': String(upload.kept) },
    body: new Uint8Array(upload.bytes.subarray(upload.kept, upload.kept + PIECE)),
  });
  if (answer.status === 204) upload.kept = Number(answer.headers.get('upload-offset'));
  return answer.status;
}

/** Resumes an upload at the server's offset. @throws Error when the offset is below the acknowledged bytes */
async function finish(server: RunningServer, secret: string, upload: Upload): Promise<void> {
  if (!upload.path) await agree(server, secret, upload);
  const answer = await fetch(server.base + upload.path, { method: 'HEAD', headers: headersOf(secret) });
  const found = Number(answer.headers.get('upload-offset') ?? -1);
  if (found < upload.kept) throw new Error(`An upload had ${upload.kept} bytes and has ${found}: ${answer.status}`);
  upload.kept = found;
  // The lease of the killed process expires after a minute.
  const until = performance.now() + LEASE_MS;
  while (upload.kept < upload.bytes.length) {
    const status = await patch(server, secret, upload);
    if (status === 204) continue;
    if (performance.now() > until) throw new Error(`An upload could not be resumed: ${status}`);
    await sleep(500);
  }
}

async function expectBytes({ base }: RunningServer, { name, bytes }: Upload): Promise<void> {
  const answer = await fetch(`${base}/storage/v1/object/public/kills/${name}`);
  if (answer.status !== 200 || !bytes.equals(Buffer.from(await answer.arrayBuffer())))
    throw new Error(`An upload differs from the sent bytes: ${answer.status}`);
}
