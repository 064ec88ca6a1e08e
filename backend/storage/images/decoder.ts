import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { limits } from '../../../config.ts';
import { errors, StorageError } from '../errors.ts';
import type { Answer, Jobs } from './decoder-worker.ts';

const WORKER = fileURLToPath(new URL('./decoder-worker.ts', import.meta.url));
const SECONDS = limits.imageSeconds.value;
const START_SECONDS = 30;
/**
 * Private memory limit of one process, enforced by the kernel. The runtime reserves 640 MB of it without using them.
 */
const MAX_KILOBYTES = 2_000_000;
const IDLE_SECONDS = 60;

/** Environment variables that Node and the library may need; no secret of the server is passed on. */
const ENVIRONMENT = ['LD_LIBRARY_PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

type Lost = 'late' | 'ended' | 'unstarted';

/** Runs the image library in child processes: an image that crashes or exhausts it ends only one of them. */
export class Decoder {
  readonly #log: Logger;
  readonly #idle: ChildProcess[] = [];
  readonly #timers = new Map<ChildProcess, NodeJS.Timeout>();
  readonly #all = new Set<ChildProcess>();
  #closed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @throws StorageError from the worker; InvalidRequest (422) past its time or memory limit */
  async run<Name extends keyof Jobs>(
    name: Name,
    ...args: Parameters<Jobs[Name]>
  ): Promise<Awaited<ReturnType<Jobs[Name]>>> {
    let answer = await this.#ask([name, ...args]);
    // The process may have ended while it was idle.
    if (answer === 'unstarted') answer = await this.#ask([name, ...args]);
    if (answer === 'unstarted') throw errors.busy();
    if (answer === 'late')
      throw errors.invalidPicture(
        `The picture takes longer than ${SECONDS} seconds to read; send a simpler or smaller one.`,
      );
    if (answer === 'ended')
      throw errors.invalidPicture('The picture is damaged, or needs too much memory to read; send a smaller one.');
    if ('refusal' in answer) throw new StorageError(...answer.refusal);
    return answer.result as Awaited<ReturnType<Jobs[Name]>>;
  }

  close(): void {
    this.#closed = true;
    for (const child of this.#all) child.kill('SIGKILL');
  }

  async #ask(job: unknown[]): Promise<Answer | Lost> {
    const child = this.#take();
    const { promise, resolve } = Promise.withResolvers<Answer | Lost>();
    let lost: Lost = 'unstarted';
    const kill = () => {
      if (lost === 'ended') lost = 'late';
      child.kill('SIGKILL');
    };
    let timer = setTimeout(kill, START_SECONDS * 1000);
    const onEnd = () => resolve(lost);
    const onMessage = (message: Answer | 'started') => {
      if (message !== 'started') return resolve(message);
      lost = 'ended';
      clearTimeout(timer);
      timer = setTimeout(kill, SECONDS * 1000);
    };
    child.on('message', onMessage).once('exit', onEnd).once('error', onEnd);
    child.send(job, (error) => error && kill());
    const answer = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
    if (typeof answer !== 'string') this.#release(child);
    else if (!this.#closed)
      this.#log.warn({ reason: answer, signal: child.signalCode, code: child.exitCode }, 'picture decoder ended');
    return answer;
  }

  #take(): ChildProcess {
    const child = this.#idle.pop() ?? this.#start();
    clearTimeout(this.#timers.get(child));
    child.ref();
    child.channel?.ref();
    return child;
  }

  #release(child: ChildProcess): void {
    if (this.#closed || !child.connected) {
      child.kill('SIGKILL');
      return;
    }
    this.#idle.push(child);
    this.#timers.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_SECONDS * 1000).unref());
    child.unref();
    child.channel?.unref();
  }

  #start(): ChildProcess {
    const command = [process.execPath, WORKER];
    const limited = ['/bin/sh', '-c', 'ulimit -d "$1"; shift; exec "$@"', 'sh', String(MAX_KILOBYTES), ...command];
    const [file, ...args] = process.platform === 'win32' ? command : limited;
    const child = spawn(file!, args, {
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#all.add(child);
    const forget = () => {
      this.#all.delete(child);
      clearTimeout(this.#timers.get(child));
      this.#timers.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    child.once('exit', forget).once('error', forget);
    return child;
  }
}
