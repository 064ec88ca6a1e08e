/** The thread that holds the embedded engine. It does one thing at a time; `engine.ts` is on the other side. */
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from '../database.ts';
import { listenStatement } from '../database.ts';
import { LogForces } from './durable-files.ts';
import { engineOptions } from './settings.ts';
import { shareMemory } from './shared-memory.ts';
import { type Answer, type CancelFlags, EngineFault, type Outcome, type Refusal, Wire } from './wire.ts';

export interface EngineData {
  folder: string;
  /** Channels that are listened to from the start. */
  channels: string[];
}

/**
 * How a transaction that writes stands to the others that share a force of the log: more will follow it, or it is the
 * last of them.
 */
export type Shared = 'followed' | 'last';

export type Work =
  | { kind: 'run'; statements: readonly Statement[]; block?: { readOnly: boolean }; shared?: Shared }
  | { kind: 'script'; sql: string };

export type EngineRequest =
  /** @param number under which a cancellation names it */
  (Work & { number: number }) | { kind: 'force' } | { kind: 'close' };

interface Worked {
  /** Processor time that the call took, milliseconds: what else the machine does is nobody's statement. */
  workedMs: number;
  /** Whether what it did, or what was done before it, is not forced to disk yet. */
  owed: boolean;
}

export type EngineMessage =
  | { kind: 'ready'; flags: CancelFlags }
  | ({ kind: 'answers'; answers: Answer[] } & Worked)
  | ({ kind: 'refusal'; refusal: Refusal; at: number } & Worked)
  | { kind: 'fault'; message: string; tooComplex: boolean }
  | { kind: 'heard'; channel: string; payload: string }
  | { kind: 'log'; text: string }
  /** Everything that was answered so far is on the disk. */
  | { kind: 'forced' }
  | { kind: 'closed' };

const { folder, channels } = workerData as EngineData;
const port = parentPort!;
const say = (message: EngineMessage) => port.postMessage(message);

// What runs often is compiled a second time, to be faster: on as many threads as Node does it by itself, that took the
// processors from the start that it is part of.
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
/** After a fault nothing is taken any more: what still comes is done by the next engine. */
let isBroken = false;

async function answer(request: EngineRequest): Promise<EngineMessage> {
  if (request.kind === 'force') {
    forces.force();
    return { kind: 'forced' };
  }
  const shared = request.kind === 'run' ? request.shared : undefined;
  // Whoever reads sees only what is on the disk, and lets nobody wait for it.
  if (!shared && forces.areOwed) {
    forces.force();
    say({ kind: 'forced' });
  }
  // A cancellation that came too late for its statement shall not meet the next one.
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
  // Meant for the one before, which was over by then; nothing of this one has happened.
  wire.calm();
  return run();
}

/** What an engine did before it broke was done. */
function payBeforeTheEnd(): void {
  try {
    forces.force();
    say({ kind: 'forced' });
  } catch {
    // The disk is what broke: nobody is told that anything is on it.
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
