import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SCHEMA } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import { startPostgres } from '../../programs/postgres.ts';

export interface LiteProject {
  url: string;
  publishable: string;
  secret: string;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAM = join(ROOT, 'tests', 'node_modules', '@supabase', 'lite', 'dist', 'cli', 'index.js');
const START_LIMIT_MS = 60_000;

/** Lite never closes file handles, and Node exits when the garbage collector closes one; this keeps references to them. */
const KEEPS_FILES = `data:text/javascript,${encodeURIComponent(`
  import files from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { open } = files;
  const kept = [];
  files.open = async (...given) => {
    const file = await open(...given);
    kept.push(file);
    return file;
  };
  syncBuiltinESMExports();
`)}`;

/** Objects of a hosted project that our migrations need and Lite lacks. */
const HOSTED_HAS = `
  create schema extensions;
  grant usage on schema extensions to anon, authenticated, service_role;
  alter table auth.users add instance_id uuid;
  create table auth.mfa_factors (id uuid primary key, user_id uuid not null references auth.users on delete cascade,
    friendly_name text, factor_type text not null, status text not null, created_at timestamptz, updated_at timestamptz);`;

/** Starts Supabase Lite with its own PostgreSQL, and runs our migrations with its command. */
export async function startLite(): Promise<LiteProject> {
  const database = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-lite-'));
  const migrations = join(folder, 'supabase', 'migrations');
  const key = (kind: string) => `sb_${kind}_${randomBytes(16).toString('hex')}`;
  const [publishable, secret, port] = [key('publishable'), key('secret'), await freePort()];
  await mkdir(migrations, { recursive: true });
  const config = `[api]
port = ${port}
[db]
driver = "postgres"
url = "${database.url}"
[auth]
enabled = true
jwt_secret = "${randomBytes(32).toString('base64url')}"
publishable_key = "${publishable}"
secret_key = "${secret}"
`;
  await writeFile(join(folder, 'supabase', 'config.toml'), config);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1', EXPERIMENTAL_STORAGE: '1' };
  await cp(SCHEMA.migrationsDir, migrations, { recursive: true });
  await writeFile(join(migrations, '20000101000000_hosted_has.sql'), HOSTED_HAS);
  await promisify(execFile)(process.execPath, [PROGRAM, 'migration', 'up'], { cwd: folder, env });

  const args = ['--import', KEEPS_FILES, PROGRAM, 'start', '--no-admin'];
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const probe = () => fetch(`${url}/rest/v1/projects?limit=0`, { headers: { apikey: publishable } }).catch(() => null);
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await probe())?.ok) {
    if (Date.now() > deadline || server.exitCode !== null)
      throw new Error(`Supabase Lite was not ready in time:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    publishable,
    secret,
    async stop() {
      const exitCode = server.exitCode;
      server.kill();
      await ended;
      if (exitCode !== null) console.error(`Supabase Lite exited with ${exitCode}:\n${printed}`);
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
