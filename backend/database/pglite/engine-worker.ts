import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from '../database.ts';
import { listenStatement } from '../database.ts';
import { LogForces } from './durable-node-fs.ts';
import { engineOptions } from './settings.ts';
import { shareMemory } from './shared-memory.ts';
import { type Answer, type CancelFlags, EngineFault, type Outcome, type Refusal, Wire } from './wire.ts';

export interface EngineData {
  folder: string;
  channels: string[];
}

/** In a group commit: more transactions follow, or this is the last. */
export type Shared = 'followed' | 'last';

export type Work =
  | { kind: 'run'; statements: readonly Statement[]; block?: { readOnly: boolean }; shared?: Shared }
  | { kind: 'script'; sql: string };

export type EngineRequest =
  /** @param number identifies it in a cancellation */
  (Work & { number: number }) | { kind: 'force' } | { kind: 'close' };

interface Worked {
  /** Processor time in milliseconds, so that load of the machine is not attributed to a statement. */
  workedMs: number;
  /** True while earlier changes are not forced to disk yet. */
  owed: boolean;
}

export type EngineMessage =
  | { kind: 'ready'; flags: CancelFlags }
  | ({ kind: 'answers'; answers: Answer[] } & Worked)
  | ({ kind: 'refusal'; refusal: Refusal; at: number } & Worked)
  | { kind: 'fault'; message: string; tooComplex: boolean }
  | { kind: 'heard'; channel: string; payload: string }
  | { kind: 'log'; text: string }
  | { kind: 'forced' }
  | { kind: 'closed' };

const { folder, channels } = workerData as EngineData;
const port = parentPort!;
const say = (message: EngineMessage) => port.postMessage(message);

// By default tier-up compilation uses as many threads as Node has, which slows down the rest of the start.
setFlagsFromString('--wasm-num-compilation-tasks=1');
shareMemory();
const forces = new LogForces();
const pg = await PGlite.create({
  ...engineOptions(folder, forces),
  onStderr: (text) => {
    if (/(PANIC|FATAL|LOG): /.test(text)) say({ kind: 'log', text });
    return false;
  },
});
const wire = new Wire(pg, (channel, payload) => say({ kind: 'heard', channel, payload }));
/** After a fault, pending work is left to the next engine. */
let isBroken = false;

async function answer(request: EngineRequest): Promise<EngineMessage> {
  if (request.kind === 'force') {
    forces.force();
    return { kind: 'forced' };
  }
  const shared = request.kind === 'run' ? request.shared : undefined;
  if (!shared && forces.areOwed) {
    forces.force();
    say({ kind: 'forced' });
  }
  // A cancellation that came too late must not hit the next statement.
  wire.calm();
  forces.mayWait = shared !== undefined;
  if (request.kind === 'close') {
    await wire.script('checkpoint');
    await pg.close();
    return { kind: 'closed' };
  }
  const before = process.threadCpuUsage();
  const outcome = await workOn(request);
  if (shared !== 'followed') forces.force();
  const { user, system } = process.threadCpuUsage(before);
  const worked = { workedMs: (user + system) / 1_000, owed: forces.areOwed };
  return 'answers' in outcome ? { kind: 'answers', ...outcome, ...worked } : { kind: 'refusal', ...outcome, ...worked };
}

async function workOn(work: Work & { number: number }): Promise<Outcome> {
  if (!wire.begin(work.number)) return { refusal: { code: '57014', message: 'no request waits for it' }, at: 0 };
  const run = () => (work.kind === 'run' ? wire.run(work.statements, work.block) : wire.script(work.sql));
  const outcome = await run();
  const isCancelled = 'refusal' in outcome && outcome.refusal.code === '57014';
  if (!isCancelled || wire.isMeant(work.number)) return outcome;
  wire.calm();
  return run();
}

function payBeforeTheEnd(): void {
  try {
    forces.force();
    say({ kind: 'forced' });
  } catch {
    // The disk failed: report nothing as durable.
  }
}

async function take(request: EngineRequest): Promise<void> {
  if (isBroken) return;
  try {
    say(await answer(request));
  } catch (error) {
    isBroken = true;
    payBeforeTheEnd();
    say({
      kind: 'fault',
      message: (error as Error).message,
      tooComplex: error instanceof EngineFault && error.tooComplex,
    });
  }
}

let last = Promise.resolve();
port.on('message', (request: EngineRequest) => {
  last = last.then(() => take(request));
});
for (const channel of channels) await wire.script(listenStatement(channel));
say({ kind: 'ready', flags: wire.flags });
