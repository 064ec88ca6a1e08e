import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from '../database.ts';
import { listenStatement } from '../database.ts';
import { GroupCommit } from './durable-node-fs.ts';
import { engineOptions } from './settings.ts';
import { shareMemory } from './shared-memory.ts';
import { type CancelFlags, EngineFault, type RunOutcome, type SqlError, type StatementResult, Wire } from './wire.ts';

export type EngineData = { folder: string; channels: string[] };

/** Group commit: another transaction follows and will fsync, or this is the last and must. */
export type CommitSharing = 'followed' | 'last';

export type EngineCall =
  | { kind: 'run'; statements: readonly Statement[]; block?: { readOnly: boolean }; sharing?: CommitSharing }
  | { kind: 'script'; sql: string };

export type EngineRequest =
  /** @param number identifies it in a cancellation */
  (EngineCall & { number: number }) | { kind: 'flush' } | { kind: 'close' };

interface CallUsage {
  /** Processor time in milliseconds, so that load of the machine is not attributed to a statement. */
  workedMs: number;
  /** True while earlier changes are not yet on disk. */
  isFlushPending: boolean;
}

export type EngineMessage =
  | { kind: 'ready'; flags: CancelFlags }
  | ({ kind: 'results'; results: StatementResult[] } & CallUsage)
  | ({ kind: 'error'; error: SqlError; at: number } & CallUsage)
  | { kind: 'fault'; message: string; isStackOverflow: boolean }
  | { kind: 'notification'; channel: string; payload: string }
  | { kind: 'log'; text: string }
  | { kind: 'flushed' }
  | { kind: 'closed' };

const { folder, channels } = workerData as EngineData;
const port = parentPort!;
const post = (message: EngineMessage) => port.postMessage(message);

// By default tier-up compilation uses as many threads as Node has, which slows down the rest of the start.
setFlagsFromString('--wasm-num-compilation-tasks=1');
shareMemory();
const groupCommit = new GroupCommit();
const pg = await PGlite.create({
  ...engineOptions(folder, groupCommit),
  onStderr: (text) => {
    if (/(PANIC|FATAL|LOG): /.test(text)) post({ kind: 'log', text });
    return false;
  },
});
const wire = new Wire(pg, (channel, payload) => post({ kind: 'notification', channel, payload }));
/** Pending calls are then run by the next engine. */
let hasFailed = false;

async function handle(request: EngineRequest): Promise<EngineMessage> {
  if (request.kind === 'flush') {
    groupCommit.flush();
    return { kind: 'flushed' };
  }
  const sharing = request.kind === 'run' ? request.sharing : undefined;
  if (!sharing && groupCommit.isFlushPending) {
    groupCommit.flush();
    post({ kind: 'flushed' });
  }
  // A cancellation that came too late must not hit the next statement.
  wire.clearCancellation();
  groupCommit.canDefer = sharing !== undefined;
  if (request.kind === 'close') {
    await wire.script('checkpoint');
    await pg.close();
    return { kind: 'closed' };
  }
  const cpuBefore = process.threadCpuUsage();
  const outcome = await execute(request);
  if (sharing !== 'followed') groupCommit.flush();
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const usage = { workedMs: (user + system) / 1_000, isFlushPending: groupCommit.isFlushPending };
  return 'results' in outcome ? { kind: 'results', ...outcome, ...usage } : { kind: 'error', ...outcome, ...usage };
}

async function execute(call: EngineCall & { number: number }): Promise<RunOutcome> {
  if (!wire.markStarted(call.number))
    return { error: { code: '57014', message: 'timed out before it started' }, at: 0 };
  const run = () => (call.kind === 'run' ? wire.run(call.statements, call.block) : wire.script(call.sql));
  const outcome = await run();
  const isCancelled = 'error' in outcome && outcome.error.code === '57014';
  if (!isCancelled || wire.isCancelled(call.number)) return outcome;
  wire.clearCancellation();
  return run();
}

function flushBeforeExit(): void {
  try {
    groupCommit.flush();
    post({ kind: 'flushed' });
  } catch {
    // The disk failed: report nothing as durable.
  }
}

async function receive(request: EngineRequest): Promise<void> {
  if (hasFailed) return;
  try {
    post(await handle(request));
  } catch (error) {
    hasFailed = true;
    flushBeforeExit();
    const isStackOverflow = error instanceof EngineFault && error.isStackOverflow;
    post({ kind: 'fault', message: (error as Error).message, isStackOverflow });
  }
}

let queue = Promise.resolve();
port.on('message', (request: EngineRequest) => {
  queue = queue.then(() => receive(request));
});
for (const channel of channels) await wire.script(listenStatement(channel));
post({ kind: 'ready', flags: wire.flags });
