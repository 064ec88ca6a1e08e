/** The thread that holds the embedded engine. It does one thing at a time; `engine.ts` is on the other side. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from '../database.ts';
import { listenStatement } from '../database.ts';
import { LogForces } from './durable-files.ts';
import { engineOptions } from './settings.ts';
import { shareMemory } from './shared-memory.ts';
import { type Answer, type CancelFlags, EngineFault, type Refusal, Wire } from './wire.ts';

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

export type EngineRequest =
  | { kind: 'run'; statements: readonly Statement[]; block?: { readOnly: boolean }; shared?: Shared }
  | { kind: 'script'; sql: string }
  | { kind: 'force' }
  | { kind: 'close' };

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
  const outcome =
    request.kind === 'run' ? await wire.run(request.statements, request.block) : await wire.script(request.sql);
  if (shared !== 'followed') forces.force();
  const { user, system } = process.threadCpuUsage(before);
  const worked = { workedMs: (user + system) / 1_000, owed: forces.areOwed };
  return 'answers' in outcome ? { kind: 'answers', ...outcome, ...worked } : { kind: 'refusal', ...outcome, ...worked };
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

port.on('message', async (request: EngineRequest) => {
  try {
    say(await answer(request));
  } catch (error) {
    payBeforeTheEnd();
    say({
      kind: 'fault',
      message: (error as Error).message,
      tooComplex: error instanceof EngineFault && error.tooComplex,
    });
  }
});
for (const channel of channels) await wire.script(listenStatement(channel));
say({ kind: 'ready', flags: wire.flags });
