import { closeSync, fsyncSync, openSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface Node {
  name: string;
  parent: Node;
}

interface Stream {
  nfd?: number;
  node: Node;
}

type Operation = (...given: never[]) => unknown;

interface EmscriptenModule {
  NODEFS: {
    realPath(node: Node): string;
    stream_ops: Record<'open' | 'close' | 'setattr' | 'fsync', Operation> & {
      llseek(stream: Stream, offset: number, whence: number): number;
      write(stream: Stream, bytes: Uint8Array, offset: number, length: number, position: number): number;
    };
    node_ops: Record<(typeof CHANGES_OF_FILES)[number], Operation>;
  };
}

const INPUT_OUTPUT_ERROR = 29;
const SEEK_END = 2;
const CHANGES_OF_FILES = ['rename', 'unlink', 'rmdir', 'setattr'] as const;

/**
 * When the engine's log reaches the disk. Transactions may share a force: the engine is told at once that its log is
 * safe, and nobody is answered before it is. Data never gets ahead of the log that it follows from: whatever else is
 * about to be written, renamed or removed forces the log first (docs/decisions/050).
 */
export class LogForces {
  /** While true, a force that the engine asks for waits for `force`. */
  mayWait = false;
  readonly #waiting = new Set<number>();
  #failure: Error | null = null;

  /** Whether anything was promised to the engine that is not on the disk yet, or never will be. */
  get areOwed(): boolean {
    return this.#waiting.size > 0 || this.#failure !== null;
  }

  /** @throws Error when the disk has not kept a promise, now or ever before: the engine counts on what may not be there */
  force(): void {
    this.#forceOrRemember();
    if (this.#failure) throw this.#failure;
  }

  /** The engine's own call: its log may wait, everything else may not. @throws Error */
  fsync(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
    if (isLog(stream) && stream.nfd !== undefined) {
      this.#waiting.add(stream.nfd);
      if (!this.mayWait) this.force();
    } else forceNow(stream, nodefs);
  }

  /** To be called before the engine does any of this. A failure is raised by the next `force`. */
  beforeWrite(stream: Stream): void {
    if (this.areOwed && !isLog(stream)) this.#forceOrRemember();
  }

  beforeClose({ nfd }: Stream): void {
    if (nfd !== undefined && this.#waiting.has(nfd)) this.#forceOrRemember();
  }

  beforeChange(): void {
    if (this.areOwed) this.#forceOrRemember();
  }

  #forceOrRemember(): void {
    try {
      for (const descriptor of this.#waiting) fsyncSync(descriptor);
    } catch (error) {
      // Never tried again: the kernel may have dropped what it could not write.
      this.#failure ??= error as Error;
    }
    this.#waiting.clear();
  }
}

/**
 * How long files are: the planner asks it of every table of a statement, and to ask the kernel each time took a tenth of the
 * engine's own. True while nobody else writes in the folder, which its lock sees to.
 */
class FileSizes {
  #known = new WeakMap<Node, number>();

  /** @param ask the kernel */
  of({ node }: Stream, ask: () => number): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const size = ask();
    this.#known.set(node, size);
    return size;
  }

  isWritten({ node }: Stream, end: number): void {
    if (end > (this.#known.get(node) ?? end)) this.#known.set(node, end);
  }

  forget({ node }: Stream): void {
    this.#known.delete(node);
  }

  /** A name may mean another file now. */
  forgetAll(): void {
    this.#known = new WeakMap();
  }
}

const isLog = ({ node }: Stream) => node.parent.name === 'pg_wal';

/**
 * PGlite's own file layer has no fsync: the engine asks for it and nothing happens. Here it reaches the disk.
 * A failure is told to the engine, which then stops; it is never tried again in silence.
 */
export class DurableNodeFS extends NodeFS {
  readonly #forces: LogForces;

  constructor(folder: string, forces: LogForces) {
    super(folder);
    this.#forces = forces;
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...given);
    const forces = this.#forces;
    result.emscriptenOpts.preRun?.push((module: unknown) => {
      const { NODEFS } = module as EmscriptenModule;
      const { stream_ops: streams, node_ops: nodes } = NODEFS;
      streams.fsync = (stream: Stream) => {
        try {
          forces.fsync(stream, NODEFS);
          return 0;
        } catch {
          return INPUT_OUTPUT_ERROR;
        }
      };
      streams.close = before(streams.close, (stream) => forces.beforeClose(stream));
      const sizes = new FileSizes();
      const { llseek, write } = streams;
      streams.llseek = (stream, offset, whence) => {
        if (whence !== SEEK_END || offset !== 0) return llseek(stream, offset, whence);
        return sizes.of(stream, () => llseek(stream, offset, whence));
      };
      streams.write = (stream, bytes, offset, length, position) => {
        forces.beforeWrite(stream);
        const written = write(stream, bytes, offset, length, position);
        sizes.isWritten(stream, position + written);
        return written;
      };
      streams.open = before(streams.open, (stream) => sizes.forget(stream));
      streams.setattr = before(streams.setattr, (stream) => {
        forces.beforeChange();
        sizes.forget(stream);
      });
      for (const name of CHANGES_OF_FILES)
        nodes[name] = before(nodes[name], () => {
          forces.beforeChange();
          sizes.forgetAll();
        });
    });
    return result;
  }
}

const before =
  (operation: Operation, first: (stream: Stream) => void): Operation =>
  (...given: never[]) => {
    first(given[0]!);
    return operation(...given);
  };

function forceNow(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
  if (stream.nfd !== undefined) {
    fsyncSync(stream.nfd);
    return;
  }
  // A folder: the file layer keeps no descriptor for it.
  const descriptor = openSync(nodefs.realPath(stream.node), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
