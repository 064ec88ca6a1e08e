import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { limits } from '../../config/config.ts';
import { Semaphore } from '../../http/semaphore.ts';
import { errors, StorageError } from '../errors.ts';
import type { DecoderJobs, JobResult } from './decoder-worker.ts';

const WORKER = fileURLToPath(new URL('./decoder-worker.ts', import.meta.url));
const JOB_SECONDS = limits.imageSeconds.value;
const START_SECONDS = 30;
/** Private memory of one process, enforced by the kernel. The runtime reserves 640 MB of it without using them. */
const MAX_MEMORY_KB = 2_000_000;
const IDLE_SECONDS = 60;
const MAX_WAITING = 40;

/** Environment variables that Node and the library may need; no secret of the server is passed on. */
const PASSED_VARIABLES = ['LD_LIBRARY_PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

type DecoderFailure = 'timeout' | 'exited' | 'not-started';

/** Runs the image library in child processes: an image that crashes or exhausts it ends only one process. */
export class Decoder {
  readonly #log: Logger;
  readonly #slots: Semaphore;
  readonly #heavySlots = new Semaphore(1, { maxWaiting: MAX_WAITING });
  readonly #all = new Set<ChildProcess>();
  /** With the timers that end them. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  #isClosed = false;

  constructor(log: Logger, slots: number) {
    this.#log = log;
    this.#slots = new Semaphore(slots, { maxWaiting: MAX_WAITING });
  }

  /** Runs work that decodes. Heavy work leaves a slot free for everything else. @throws SlowDown (503) in a long queue */
  inSlot<T>(work: () => Promise<T>, client: string, isHeavy = false): Promise<T> {
    const inSlot = () => this.#slots.run(work, errors.busy, client);
    return isHeavy ? this.#heavySlots.run(inSlot, errors.busy, client) : inSlot();
  }

  /** @throws StorageError from the worker; InvalidRequest (422) past its time or memory limit */
  async run<Name extends keyof DecoderJobs>(name: Name, ...args: Parameters<DecoderJobs[Name]>) {
    let result = await this.#runJob([name, ...args]);
    if (result === 'not-started') result = await this.#runJob([name, ...args]);
    if (result === 'not-started') throw errors.busy();
    if (result === 'timeout')
      throw errors.invalidFile(
        `The picture takes longer than ${JOB_SECONDS} seconds to read; send a simpler or smaller one.`,
      );
    if (result === 'exited')
      throw errors.invalidFile('The picture is damaged, or needs too much memory to read; send a smaller one.');
    if ('error' in result) throw new StorageError(...result.error);
    return result.result as Awaited<ReturnType<DecoderJobs[Name]>>;
  }

  close(): void {
    this.#isClosed = true;
    for (const child of this.#all) child.kill('SIGKILL');
  }

  async #runJob(job: unknown[]): Promise<JobResult | DecoderFailure> {
    const child = this.#acquire();
    const { promise, resolve } = Promise.withResolvers<JobResult | DecoderFailure>();
    let failure: DecoderFailure = 'not-started';
    const kill = () => {
      if (failure === 'exited') failure = 'timeout';
      child.kill('SIGKILL');
    };
    let timer = setTimeout(kill, START_SECONDS * 1000);
    const onExit = () => resolve(failure);
    const onMessage = (message: JobResult | 'started') => {
      if (message !== 'started') return resolve(message);
      failure = 'exited';
      clearTimeout(timer);
      timer = setTimeout(kill, JOB_SECONDS * 1000);
    };
    child.on('message', onMessage).once('exit', onExit).once('error', onExit);
    child.send(job, (error) => error && kill());
    const result = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
    if (typeof result !== 'string') this.#release(child);
    else if (!this.#isClosed)
      this.#log.warn({ reason: result, signal: child.signalCode, code: child.exitCode }, 'image decoder exited');
    return result;
  }

  #acquire(): ChildProcess {
    const child = [...this.#idle.keys()].at(-1) ?? this.#start();
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
    child.ref();
    child.channel?.ref();
    return child;
  }

  #release(child: ChildProcess): void {
    if (this.#isClosed || !child.connected) {
      child.kill('SIGKILL');
      return;
    }
    this.#idle.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_SECONDS * 1000).unref());
    child.unref();
    child.channel?.unref();
  }

  #start(): ChildProcess {
    const command = [process.execPath, WORKER];
    const shell = ['/bin/sh', '-c', 'ulimit -d "$1"; shift; exec "$@"', 'sh', String(MAX_MEMORY_KB), ...command];
    const [file, ...args] = process.platform === 'win32' ? command : shell;
    const child = spawn(file!, args, {
      env: Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]])),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#all.add(child);
    const remove = () => {
      this.#all.delete(child);
      clearTimeout(this.#idle.get(child));
      this.#idle.delete(child);
    };
    child.once('exit', remove).once('error', remove);
    return child;
  }
}
