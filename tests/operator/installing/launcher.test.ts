import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from '../../child-processes.ts';
import { copyMigratedTemplate } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import { folderForTests } from '../folder-for-tests.ts';

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);
const familyOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...familyOf(child)]);

/** A Node on this machine that runs the launcher, but is too old for the server. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file) && /^v2[0-3]\./.test(execFileSync(file, ['--version'], { encoding: 'utf8' })));

describe('an npm script', () => {
  let npm: ChildProcess;
  let folder: string;
  let base: string;
  let family: number[];

  const start = async () => {
    folder = await mkdtemp(join(tmpdir(), 'madhouse-'));
    await copyMigratedTemplate(join(folder, 'database'));
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const env = { ...process.env, PORT: String(port), DATA_DIR: folder, SEED: 'none', LOG_LEVEL: 'warn' };
    npm = spawn('npm', ['start'], { env, stdio: 'ignore' });
    while (!(await fetch(`${base}/ready`).catch(() => null))?.ok) await sleep(100);
    family = familyOf(npm.pid!);
  };

  afterEach(async () => {
    for (const pid of family.filter(isRunning)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('stops the server when npm gets a %s after a reload', async (signal) => {
    await start();
    expect(family.length).toBeGreaterThanOrEqual(2);
    const launcher = family.findLast((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('launch.mjs'))!;
    process.kill(launcher, 'SIGHUP');
    npm.kill(signal);
    await expect.poll(() => family.filter(isRunning)).toEqual([]);
    expect(await fetch(`${base}/health`).catch(() => null)).toBeNull();
  });

  it('exits with the code of the server', () => {
    const env = { ...process.env, PORT: 'eighty' };
    const { status, stderr } = spawnSync('npm', ['start'], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('PORT must be a number')]);
  });

  it('uses no shell syntax, so that it runs in cmd.exe', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const [name, command] of Object.entries(scripts)) expect(command).toBe(`node launch.mjs ${name}`);
  });
});

describe('the launcher', () => {
  const tree = folderForTests();
  let env: NodeJS.ProcessEnv;
  const npmCalls = () => readFile(join(tree, 'calls'), 'utf8').catch(() => '');
  const launch = (node: string) => spawnSync(node, ['launch.mjs', 'keys'], { cwd: tree, encoding: 'utf8', env });

  beforeAll(async () => {
    await cp('launch.mjs', join(tree, 'launch.mjs'));
    await cp('launcher', join(tree, 'launcher'), { recursive: true, filter: (file) => !file.includes('node_modules') });
    const lock = JSON.stringify({ packages: { '': {} } });
    const files = {
      'package.json': '{"type":"module"}',
      'package-lock.json': lock,
      'node_modules/.package-lock.json': lock,
      'packages/backend/keys/keys-command.ts': 'const version: string = process.version;\nconsole.log(version);\n',
      'bin/npm': `#!/bin/sh\necho "$@" >>'${join(tree, 'calls')}'\n`,
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      await writeFile(join(tree, file), text);
    }
    await chmod(join(tree, 'bin', 'npm'), 0o755);
    env = { PATH: [join(tree, 'bin'), process.env['PATH']].join(delimiter), HOME: process.env['HOME'] };
  });

  it('uses a recent installed Node, and installs no other', async () => {
    const { status, stdout } = launch(process.execPath);
    expect([status, stdout.trim()]).toEqual([0, process.version]);
    expect(await npmCalls()).toBe('');
  });

  it('does not replace packages while a server uses them', async () => {
    await writeFile(join(tree, 'server.ts'), 'console.log(1);\nsetInterval(() => {}, 1_000);\n');
    const words = ['launch.mjs', 'dev'];
    const server = spawn(process.execPath, words, { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(server.stdout!, 'data');
    const lock = join(tree, 'package-lock.json');
    const before = await readFile(lock);
    await writeFile(lock, JSON.stringify({ packages: { '': {}, 'node_modules/new': { version: '1.0.0' } } }));
    const { status, stderr } = launch(process.execPath);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^A server runs from this folder \(process \d+\)/)]);
    expect(await npmCalls()).toBe('');
    server.kill('SIGTERM');
    await once(server, 'exit');
    launch(process.execPath);
    expect(await npmCalls()).toMatch(/^ci /);
    await writeFile(lock, before);
    await rm(join(tree, 'calls'));
  });

  it('fails and tries again while npm leaves out an optional package for this platform', async () => {
    const lock = join(tree, 'package-lock.json');
    const before = await readFile(lock);
    const lockFor = (os: string) => {
      const native = { version: '1.0.0', optional: true, os: [os], cpu: [process.arch] };
      return writeFile(lock, JSON.stringify({ packages: { '': {}, 'node_modules/native': native } }));
    };
    await lockFor('aix');
    expect([launch(process.execPath).status, await npmCalls()]).toEqual([0, '']);
    await lockFor(process.platform);
    for (const tries of [1, 2]) {
      const { status, stderr } = launch(process.execPath);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^The packages could not be installed\. /)]);
      expect((await npmCalls()).match(/^ci /gm)).toHaveLength(tries);
    }
    await writeFile(lock, before);
    await rm(join(tree, 'calls'));
  });

  describe.skipIf(!oldNode || process.platform !== 'linux')('with an old Node', () => {
    const installNode = async (program: string) => {
      const folder = join(tree, 'launcher', 'node');
      const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
      const name = `node_modules/node-linux-${process.arch}`;
      await mkdir(join(folder, name, 'bin'), { recursive: true });
      const installed = { packages: { [name]: lock.packages[name] } };
      await writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify(installed));
      await writeFile(join(folder, name, 'bin', 'node'), program, { mode: 0o755 });
    };

    it('installs the pinned Node into its own folder', async () => {
      launch(oldNode!);
      expect((await npmCalls()).trim()).toMatch(/^ci .*--prefix launcher\/node /);
    });

    it('runs on the Node it has installed', async () => {
      await installNode(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
      const { status, stdout } = launch(oldNode!);
      expect([status, stdout.trim()]).toEqual([0, process.version]);
    });

    it.each([
      [
        'a library is missing',
        `echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory" >&2; exit 127`,
        /libatomic\.so\.1 is missing\. (Run "apt-get install libatomic1"|Install libatomic\.so\.1) as root, or install Node 24/,
      ],
      [
        'the C library is too old',
        `echo "node: /lib/libc.so.6: version 'GLIBC_2.28' not found" >&2; exit 1`,
        /needs glibc 2\.28 or newer/,
      ],
    ])('prints instructions when %s', async (_, script, words) => {
      await installNode(`#!/bin/sh\n${script}\n`);
      const { status, stderr } = launch(oldNode!);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(words)]);
    });
  });
});
