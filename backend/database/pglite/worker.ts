/** The thread that holds the embedded engine. It does one thing at a time; `engine.ts` is on the other side. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from '../database.ts';
import { listenStatement } from '../database.ts';
import { engineOptions } from './settings.ts';
import { shareMemory } from './shared-memory.ts';
import { type Answer, type CancelFlags, EngineFault, type Refusal, Wire } from './wire.ts';

export interface EngineData {
  folder: string;
  /** Channels that are listened to from the start. */
  channels: string[];
}

export type EngineRequest =
  | { kind: 'run'; statements: readonly Statement[]; block?: { readOnly: boolean } }
  | { kind: 'script'; sql: string }
  | { kind: 'close' };

/** Processor time that the call took, milliseconds: what else the machine does is nobody's statement. */
interface Worked {
  workedMs: number;
}

export type EngineMessage =
  | { kind: 'ready'; flags: CancelFlags }
  | ({ kind: 'answers'; answers: Answer[] } & Worked)
  | ({ kind: 'refusal'; refusal: Refusal; at: number } & Worked)
  | { kind: 'fault'; message: string; tooComplex: boolean }
  | { kind: 'heard'; channel: string; payload: string }
  | { kind: 'log'; text: string }
  | { kind: 'closed' };

const { folder, channels } = workerData as EngineData;
const port = parentPort!;
const say = (message: EngineMessage) => port.postMessage(message);

shareMemory();
const pg = await PGlite.create({
  ...engineOptions(folder),
  onStderr: (text) => {
    if (/(PANIC|FATAL|LOG): /.test(text)) say({ kind: 'log', text });
    return false;
  },
});
const wire = new Wire(pg, (channel, payload) => say({ kind: 'heard', channel, payload }));

async function answer(request: EngineRequest): Promise<EngineMessage> {
  const before = process.threadCpuUsage();
  if (request.kind === 'close') {
    await wire.script('checkpoint');
    await pg.close();
    return { kind: 'closed' };
  }
  const outcome =
    request.kind === 'run' ? await wire.run(request.statements, request.block) : await wire.script(request.sql);
  const { user, system } = process.threadCpuUsage(before);
  const workedMs = (user + system) / 1_000;
  return 'answers' in outcome ? { kind: 'answers', ...outcome, workedMs } : { kind: 'refusal', ...outcome, workedMs };
}

port.on('message', async (request: EngineRequest) => {
  try {
    // A cancellation that came too late for its statement shall not meet the next one.
    wire.calm();
    say(await answer(request));
  } catch (error) {
    say({
      kind: 'fault',
      message: (error as Error).message,
      tooComplex: error instanceof EngineFault && error.tooComplex,
    });
  }
});
for (const channel of channels) await wire.script(listenStatement(channel));
say({ kind: 'ready', flags: wire.flags });
