import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startHaproxy } from '../programs/haproxy.ts';
import type { RunningServer } from '../server.ts';
import { type NewDatabase, newBucket, newDatabase, type Shared, shareOutbox } from './shared.ts';

/** File in a retained data folder that names the database and the bucket which the next start copies. */
const STATE_FILE = 'two-machines.json';

/**
 * Like `startServer`, but starts two machines with two processes each that share a database and a bucket, behind HAProxy,
 * which distributes the requests in turn.
 * @param start starts one machine
 * @param settings for both machines; a DATABASE_URL is used unchanged
 * @param dataDir folder of the first machine; the second has its own, but uses the first one's keys and outbox
 */
export async function startTwoMachines(
  shared: Shared,
  start: (settings: Record<string, string>, dataDir: string) => Promise<RunningServer>,
  settings: Record<string, string>,
  dataDir?: string,
): Promise<RunningServer & { machines: RunningServer[] }> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'madhouse-')));
  const stateFile = join(folder, STATE_FILE);
  const previous = existsSync(stateFile) ? (JSON.parse(await readFile(stateFile, 'utf8')) as MachineState) : null;
  let database: NewDatabase | null = null;
  if (!settings['DATABASE_URL']) {
    const needsEmptyDatabase = settings['SUPABASE_DIR'] && dataDir;
    database = await newDatabase(shared, previous?.database ?? (needsEmptyDatabase ? 'template0' : 'postgres'));
  }
  const bucket = await newBucket(shared, previous?.bucket);
  const secondFolder = await mkdtemp(join(tmpdir(), 'madhouse-second-'));
  await shareOutbox(folder, secondFolder);
  const port = settings['PORT'] ?? String(await freePort());
  const machineSettings = {
    WORKERS: '2',
    DATABASE_SESSIONS: '5',
    SITE_URL: `http://127.0.0.1:${port}`,
    KEYS_FILE: join(folder, 'keys.json'),
    ...bucket,
    ...(database && { DATABASE_URL: database.url }),
    ...settings,
    TRUST_PROXY: String(Number(settings['TRUST_PROXY'] ?? 0) + 1),
  };
  const startIn = async (machineFolder: string) =>
    start({ ...machineSettings, PORT: String(await freePort()) }, machineFolder);
  const machines = await Promise.all([folder, secondFolder].map(startIn));
  const addresses = machines.map(({ base }) => base);
  const balancer = await startHaproxy(addresses, Number(port));
  return {
    base: balancer.base,
    dataDir: folder,
    output: () => machines.map((machine) => machine.output()).join(''),
    process: machines[0]!.process,
    databaseUrl: machines[0]!.databaseUrl,
    machines,
    // Without clients the machines need not wait until the balancer notices the stop.
    async stop({ keep = false, signal = 'SIGINT' } = {}) {
      const [code] = await Promise.all(machines.map((machine) => machine.stop({ keep: true, signal })));
      await balancer.stop();
      await rm(secondFolder, { recursive: true, force: true });
      const name = database && new URL(database.url).pathname.slice(1);
      if (keep && name) await writeFile(stateFile, JSON.stringify({ database: name, bucket: bucket['S3_BUCKET']! }));
      else await Promise.all([rm(folder, { recursive: true, force: true }), database?.drop()]);
      return code!;
    },
  };
}

interface MachineState {
  database: string;
  bucket: string;
}
