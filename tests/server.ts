import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHORT_LIVED } from './cpu-time.ts';
import { copyMigratedTemplate, databaseFrom, migratedCluster } from './database.ts';
import { freePort } from './free-port.ts';
import { keepServerOutput } from './server-logs.ts';
import { shared } from './two-machines/shared.ts';
import { startTwoMachines } from './two-machines/start.ts';

export interface RunningServer {
  base: string;
  dataDir: string;
  output: () => string;
  process: ChildProcess;
  databaseUrl: string | undefined;
  /** Sends SIGTERM, waits, and deletes the data folder unless `keep`. @returns the exit code */
  stop: (options?: { keep?: boolean; signal?: NodeJS.Signals }) => Promise<number | null>;
}

const START_LIMIT_MS = 120_000;

interface StartOptions {
  answers?: '/ready' | '/health';
  launcher?: readonly string[];
  tree?: string;
}

/**
 * Starts the production server like `npm start`, with its own port and data folder; with `--two-machines` two servers
 * behind a balancer, unless a hosted project has the data.
 * @param dataDir its data folder; default: a new one with a migrated embedded database
 * @param options `answers`: the path that must answer 200 before it counts as started; `launcher`: words in front of its command; `tree`: a copy of the whole project, which is started by its own launcher
 * @throws Error with the output when the server does not become ready
 */
export const startServer = (
  settings: Record<string, string> = {},
  dataDir?: string,
  options: StartOptions = {},
): Promise<RunningServer> =>
  shared && !settings['SUPABASE_URL']
    ? startTwoMachines(shared, (own, folder) => startMachine(own, folder, options), settings, dataDir)
    : startMachine(settings, dataDir, options);

/**
 * Like `startServer`, but with a new PostgreSQL database, which needs less than half the processor time of an embedded one.
 * For tests that do not depend on the engine.
 * @param cluster data folder of the PostgreSQL server whose database is copied; by default it is migrated and empty
 */
export async function startServerOnPostgres(
  settings: Record<string, string> = {},
  { dataDir, cluster }: { dataDir?: string; cluster?: string } = {},
): Promise<RunningServer> {
  if (shared) return startServer(settings, dataDir);
  const { url, drop } = await databaseFrom(cluster ?? (await migratedCluster()));
  const server = await startServer({ DATABASE_URL: url, ...settings }, dataDir);
  return {
    ...server,
    async stop(options) {
      // After SIGTERM it would serve a load balancer for five more seconds.
      const code = await server.stop({ signal: 'SIGINT', ...options });
      if (!options?.keep) await drop();
      return code;
    },
  };
}

/** Starts a server that must exit with code 1 after one line. @returns that line @throws Error unless it does */
export async function failedStart(
  settings: Record<string, string>,
  dataDir?: string,
  options?: StartOptions,
): Promise<string> {
  const message = await startServer({ SEED: 'none', LOG_LEVEL: 'fatal', ...settings }, dataDir, options).then(
    (server) => server.stop({ keep: true }).then(() => 'The server started'),
    (error: Error) => error.message,
  );
  const [, line] = /^The server exited with code 1:\n(Cannot start: [^\n]+)\n$/.exec(message) ?? [];
  if (!line) throw new Error(message);
  return line;
}

async function startMachine(
  settings: Record<string, string>,
  dataDir: string | undefined,
  { answers: responses = '/ready', launcher = [], tree }: StartOptions,
): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'madhouse-')));
  if (!dataDir && !settings['DATABASE_URL'] && !settings['SUPABASE_URL'])
    await copyMigratedTemplate(join(folder, 'database'));
  const port = settings['PORT'] ?? String(await freePort());
  let printed = '';
  const [command, ...words] = [
    ...launcher,
    process.execPath,
    ...(tree ? ['launch.mjs', 'start'] : [...SHORT_LIVED, 'server.ts']),
  ];
  const child = spawn(command!, words, {
    cwd: tree,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LOG_LEVEL: 'warn',
      PORT: port,
      DATA_DIR: folder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
      keepServerOutput(chunk);
    });
  const base = `http://127.0.0.1:${port}`;
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  try {
    await Promise.race([
      // A hosted project may be unreachable; the site starts anyway.
      ready(base + (settings['SUPABASE_URL'] ? '/health' : responses)),
      exited.then((code) => {
        throw new Error(`The server exited with code ${code}:\n${printed}`);
      }),
    ]);
  } catch (error) {
    // A launcher forwards signals to the server.
    child.kill(tree ? 'SIGTERM' : 'SIGKILL');
    throw error;
  }
  return {
    base,
    dataDir: folder,
    output: () => printed,
    process: child,
    databaseUrl: settings['DATABASE_URL'],
    async stop({ keep = false, signal = 'SIGTERM' } = {}) {
      child.kill(signal);
      const code = await exited;
      if (!keep) await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

async function ready(address: string): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    const response = await fetch(address).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server was not ready within ${START_LIMIT_MS} ms`);
}

/** Keys of the server with this data folder. */
export const keysIn = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as { publishable: string; secret: string };

/** Setup key that the first start of an installation printed. */
export const setupKeyOf = ({ output }: Pick<RunningServer, 'output'>): string =>
  /Setup key[^\n]*: (\S{20,})/.exec(output())![1]!;

/** An unused client address, because limits are per address. For servers with TRUST_PROXY=1. */
export const newAddress = (): string =>
  `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 256)).join('.')}`;
