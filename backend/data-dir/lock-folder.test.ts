import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/database.ts';
import { lockFolder } from './lock-folder.ts';

/** As containers are: each starter in a network of its own. Takes root on Linux. */
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

/** A process that takes the folder it is told at the moment it is told, says what came of it, and lets go when told so. */
async function starter(networkOfItsOwn: boolean): Promise<Starter> {
  const script = `import { createInterface } from 'node:readline';
    import { lockFolder } from ${JSON.stringify(new URL('./lock-folder.ts', import.meta.url).href)};
    let letGo = () => {};
    console.log('ready');
    for await (const line of createInterface({ input: process.stdin })) {
      const { folder, at } = JSON.parse(line);
      if (!folder) { letGo(); console.log('free'); continue; }
      while (Date.now() < at);
      try { letGo = lockFolder(folder); console.log('held'); } catch (error) { console.log(error.message); }
    }`;
  const node = [process.execPath, '--no-warnings', '--input-type=module-typescript', '-e', script];
  const [command, ...args] = networkOfItsOwn ? ['unshare', '-n', ...node] : node;
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
  const next = () => new Promise<string>((said) => (lines.length ? said(lines.shift()!) : waiting.push(said)));
  const made = Object.assign(child, { next });
  starters.push(made);
  expect(await next()).toBe('ready');
  return made;
}

const tell = (child: Starter, what: { folder?: string; at?: number }): Promise<string> => {
  child.stdin.write(`${JSON.stringify(what)}\n`);
  return child.next();
};

/** All take the same folder at the same millisecond. Answers how many of them hold it. */
async function race(children: Starter[], contested: string): Promise<number> {
  const at = Date.now() + 5;
  const said = await Promise.all(children.map((child) => tell(child, { folder: contested, at })));
  for (const text of said) if (text !== 'held') expect(text).toContain(`${contested} is in use by `);
  await Promise.all(children.map((child) => tell(child, {})));
  return said.filter((text) => text === 'held').length;
}

describe.skipIf(!NETWORKS)('C4: of several that start on one volume from networks of their own, one holds it', () => {
  it.each([
    [2, 100],
    [4, 50],
  ])('%i starters, %i rounds', async (count, rounds) => {
    const children = await Promise.all(Array.from({ length: count }, () => starter(true)));
    const holders: number[] = [];
    // The first time nothing is there yet, the second time what the first left.
    for (let round = 0; round < rounds; round++)
      holders.push(await race(children, join(parent.folder, `volume-${round >> 1}`)));
    expect(holders).toEqual(Array.from({ length: rounds }, () => 1));
  });

  it('also on a path far longer than a socket may have, and whatever is left there of a server that was killed', async () => {
    const deep = join(parent.folder, ...Array.from({ length: 8 }, () => 'a-rather-long-name-of-a-folder'), 'database');
    expect(deep.length).toBeGreaterThan(250);
    const [killed, ...children] = await Promise.all([1, 2, 3].map(() => starter(true)));
    expect(await tell(killed!, { folder: deep })).toBe('held');
    expect(await race(children, deep)).toBe(0);
    killed!.kill('SIGKILL');
    await once(killed!, 'exit');
    expect(await race(children, deep)).toBe(1);
  });
});

describe('the lock of a folder', () => {
  it.skipIf(process.platform !== 'linux')('C4: is never taken from an owner that stands still', async () => {
    const owner = await starter(false);
    expect(await tell(owner, { folder })).toBe('held');
    owner.kill('SIGSTOP');
    await expect.poll(() => stateOf(owner.pid!), PATIENT).toBe('T');
    expect(() => lockFolder(folder)).toThrow(`in use by process ${owner.pid} on `);
    owner.kill('SIGCONT');
    expect(await tell(owner, {})).toBe('free');
    lockFolder(folder)();
  });

  it('C4: outlives a second try in the same process', async () => {
    const letGo = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid} on `);
    // Closing the second try's file must not have let go of the first one's lock.
    const other = await starter(false);
    expect(await tell(other, { folder })).toContain('in use');
    letGo();
    expect(await tell(other, { folder })).toBe('held');
  });

  it('C4: is refused, not skipped, where it cannot be had', () => {
    mkdirSync(`${folder}.lockfile`);
    expect(() => lockFolder(folder)).toThrow(/cannot be locked: .*file system with locks/);
  });
});

const stateOf = (pid: number) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
