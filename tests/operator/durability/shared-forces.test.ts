import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHORT_LIVED } from '../../cpu-time.ts';
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from '../../programs/small-disk.ts';

const ROUNDS = 4;
/** Every second round ends with power loss instead of a kill. */
const POWER_EVERY = 2;

if (smallDiskProblem) console.warn(`The test of shared fsyncs is skipped: ${smallDiskProblem}.`);

let disk: SmallDisk;
let running: ChildProcess | undefined;
beforeAll(async () => {
  if (!smallDiskProblem) disk = await mountSmallDisk(300);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await disk?.end();
});

/** @returns the numbers in the database, and those acknowledged from now on */
async function startWriters(round: number): Promise<{ held: number[]; answered: number[]; ended: Promise<unknown> }> {
  const writers = ['tests/operator/durability/writer-process.ts', disk.path('database'), `${round}`];
  const [command, ...words] = [...disk.launcher, process.execPath, ...SHORT_LIVED, ...writers];
  running = spawn(command!, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: running.stdout! });
  const [first] = (await once(lines, 'line')) as [string];
  const answered: number[] = [];
  lines.on('line', (line) => answered.push(Number(line)));
  return { held: JSON.parse(first), answered, ended: once(lines, 'close') };
}

it.skipIf(smallDiskProblem !== null)(
  `concurrent writers share an fsync, and no acknowledged write is lost in ${ROUNDS} kills and power losses (D1, D2)`,
  { timeout: 900_000 },
  async () => {
    let before: number[] = [];
    let [rows, forces] = [0, 0];
    for (let round = 1; round <= ROUNDS; round++) {
      const { held, answered, ended } = await startWriters(round);
      expect(held, `round ${round}`).toEqual(expect.arrayContaining(before));
      await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(32);
      const [rowsBefore, flushesBefore] = [answered.length, disk.flushCount()];
      await expect.poll(disk.flushCount, { interval: 20 + Math.random() * 100 }).toBeGreaterThan(flushesBefore + 2);
      forces += disk.flushCount() - flushesBefore;
      const power = round % POWER_EVERY === 0;
      if (power) disk.losePower();
      running!.kill('SIGKILL');
      await ended;
      rows += answered.length - rowsBefore;
      if (power) disk.restorePower();
      before = answered;
    }
    expect(forces).toBeGreaterThan(0);
    expect(rows / forces).toBeGreaterThan(4);
  },
);
