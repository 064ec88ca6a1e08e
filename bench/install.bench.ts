import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../tests/free-port.ts';
import { projectFiles } from '../tests/project-files.ts';
import { cpuOf } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';

const LIMIT_MS = 600_000;

interface LockFile {
  packages: Record<string, { dev?: true; devOptional?: true }>;
}

/** Time of `npm start` in a copy of the sources without packages and build, and the size of what it installs. */
export default async function install(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'madhouse-install-'));
  for (const file of projectFiles()) cpSync(file, join(copy, file));
  const port = await freePort();
  const own = { PORT: String(port), DATA_DIR: join(copy, 'data'), NODE_ENV: '', NODE_COMPILE_CACHE: '' };
  const env = { ...process.env, ...own };
  const startedAt = performance.now();
  const npm = spawn('npm', ['start'], { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] });
  npm.stdout.on('data', (text: Buffer) => {
    for (const line of String(text).split('\n')) if (/^(Installed|Built)/.test(line)) figure('', line);
  });
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null))?.ok) {
      if (npm.exitCode !== null || performance.now() - startedAt > LIMIT_MS)
        throw new Error('npm start was not ready in time');
      await sleep(100);
    }
    figure('npm start to ready', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    if (process.platform === 'linux') figure('processor time', `${cpuOf(new Set([npm.pid!])).toFixed(1)} s`);
    const { packages } = JSON.parse(readFileSync(join(copy, 'node_modules', '.package-lock.json'), 'utf8')) as LockFile;
    const installed = Object.keys(packages);
    const runtime = installed.filter((path) => !packages[path]!.dev && !packages[path]!.devOptional);
    report('installed', copy, installed);
    report('of these for production', copy, runtime);
    if (existsSync(join(copy, 'launcher/node/node_modules')))
      report('Node 24, missing on this machine', copy, ['launcher/node/node_modules']);
  } finally {
    npm.kill('SIGTERM');
    if (npm.exitCode === null) await once(npm, 'exit');
    await sleep(2_000);
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}

function report(label: string, folder: string, paths: readonly string[]): void {
  // The size of a nested package is included in the outer one.
  const outer = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
  const sizes = execFileSync('du', ['-sbc', ...outer], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 24 });
  const bytes = Number(/(\d+)\ttotal/.exec(sizes)![1]);
  figure(label, `${paths.length} packages, ${(bytes / 1e6).toFixed(0)} MB`);
}
