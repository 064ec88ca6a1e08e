import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/database.ts';
import { lockFolder } from './lock-folder.ts';

/** Like containers, each starter has its own network namespace. Needs root on Linux. */
const NETWORKS = spawnSync('unshare', ['-n', 'true']).status === 0;
const PATIENT = { timeout: 30_000 };

type Starter = ChildProcessByStdio<Writable, Readable, null> & { next: () => Promise<string> };

let parent: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
let starters: Starter[];
beforeEach(async () => {
  parent = await temporaryFolder({ onDisk: true });
  folder = join(parent.folder, 'database');
  starters = [];
});
afterEach(async () => {
  for (const starter of starters) {
    if (starter.exitCode !== null || starter.signalCode !== null) continue;
    starter.kill('SIGKILL');
    await once(starter, 'exit');
  }
  await parent.remove();
});

/** A process that locks the requested folder at the requested time, prints the outcome, and unlocks on request. */
async function starter(ownNetwork: boolean): Promise<Starter> {
  const script = `import { createInterface } from 'node:readline';
    import { lockFolder } from ${JSON.stringify(new URL('./lock-folder.ts', import.meta.url).href)};
    let unlock = () => {};
    console.log('ready');
    for await (const line of createInterface({ input: process.stdin })) {
      const { folder, at } = JSON.parse(line);
      if (!folder) { unlock(); console.log('free'); continue; }
      while (Date.now() < at);
      try { unlock = lockFolder(folder); console.log('held'); } catch (error) { console.log(error.message); }
    }`;
  const node = [process.execPath, '--no-warnings', '--input-type=module-typescript', '-e', script];
  const [command, ...args] = ownNetwork ? ['unshare', '-n', ...node] : node;
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      const next = waiting.shift();
      if (next) next(line);
      else lines.push(line);
    }
  });
  const next = () => new Promise<string>((resolve) => (lines.length ? resolve(lines.shift()!) : waiting.push(resolve)));
  const started = Object.assign(child, { next });
  starters.push(started);
  expect(await next()).toBe('ready');
  return started;
}

const send = (child: Starter, request: { folder?: string; at?: number }): Promise<string> => {
  child.stdin.write(`${JSON.stringify(request)}\n`);
  return child.next();
};

/** All lock the same folder in the same millisecond. @returns how many hold it */
async function race(children: Starter[], contested: string): Promise<number> {
  const at = Date.now() + 5;
  const outcomes = await Promise.all(children.map((child) => send(child, { folder: contested, at })));
  for (const text of outcomes) if (text !== 'held') expect(text).toContain(`${contested} is in use by `);
  await Promise.all(children.map((child) => send(child, {})));
  return outcomes.filter((text) => text === 'held').length;
}

describe.skipIf(!NETWORKS)('C4: of several containers that start on one volume, exactly one gets the lock', () => {
  it.each([
    [2, 100],
    [4, 50],
  ])('with %i concurrent starts, %i times', async (count, rounds) => {
    const children = await Promise.all(Array.from({ length: count }, () => starter(true)));
    const holders: number[] = [];
    // Every folder is contested twice: without and with leftover lock files.
    for (let round = 0; round < rounds; round++)
      holders.push(await race(children, join(parent.folder, `volume-${round >> 1}`)));
    expect(holders).toEqual(Array.from({ length: rounds }, () => 1));
  });

  it('with a path longer than a socket allows, and after the owner was killed', async () => {
    const deep = join(parent.folder, ...Array.from({ length: 8 }, () => 'a-rather-long-name-of-a-folder'), 'database');
    expect(deep.length).toBeGreaterThan(250);
    const [killed, ...children] = await Promise.all([1, 2, 3].map(() => starter(true)));
    expect(await send(killed!, { folder: deep })).toBe('held');
    expect(await race(children, deep)).toBe(0);
    killed!.kill('SIGKILL');
    await once(killed!, 'exit');
    expect(await race(children, deep)).toBe(1);
  });
});

describe('the lock of a folder', () => {
  it.skipIf(process.platform !== 'linux')('C4: is not taken from a stopped owner', async () => {
    const owner = await starter(false);
    expect(await send(owner, { folder })).toBe('held');
    owner.kill('SIGSTOP');
    await expect.poll(() => stateOf(owner.pid!), PATIENT).toBe('T');
    expect(() => lockFolder(folder)).toThrow(`in use by process ${owner.pid} on `);
    owner.kill('SIGCONT');
    expect(await send(owner, {})).toBe('free');
    lockFolder(folder)();
  });

  it('C4: survives a second attempt in the same process', async () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid} on `);
    // Closing the file of the second attempt must not release the first lock.
    const other = await starter(false);
    expect(await send(other, { folder })).toContain('in use');
    unlock();
    expect(await send(other, { folder })).toBe('held');
  });

  it('C4: fails when it cannot be acquired', () => {
    mkdirSync(`${folder}.lockfile`);
    expect(() => lockFolder(folder)).toThrow(/cannot be locked: .*file system with locks/);
  });
});

const stateOf = (pid: number) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
