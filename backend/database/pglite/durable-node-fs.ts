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
 * Group commit: transactions may share an fsync; no client is answered before it. Any other write, rename or removal
 * forces the log first, so data never precedes its log (docs/decisions/050).
 */
export class LogForces {
  mayWait = false;
  readonly #waiting = new Set<number>();
  #failure: Error | null = null;

  /** True while the engine relies on log that is not on disk, or that failed to get there. */
  get areOwed(): boolean {
    return this.#waiting.size > 0 || this.#failure !== null;
  }

  /** @throws Error after any failed fsync, now or earlier: the engine relies on data that may be lost */
  force(): void {
    this.#forceOrRemember();
    if (this.#failure) throw this.#failure;
  }

  fsync(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
    if (isLog(stream) && stream.nfd !== undefined) {
      this.#waiting.add(stream.nfd);
      if (!this.mayWait) this.force();
    } else forceNow(stream, nodefs);
  }

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
      // Never retried: the kernel may have dropped the unwritten pages.
      this.#failure ??= error as Error;
    }
    this.#waiting.clear();
  }
}

/** Saves the planner a kernel call per table, a tenth of its time. Valid because the lock excludes other writers. */
class FileSizes {
  #known = new WeakMap<Node, number>();

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

  forgetAll(): void {
    this.#known = new WeakMap();
  }
}

const isLog = ({ node }: Stream) => node.parent.name === 'pg_wal';

/** PGlite's own file layer ignores fsync. A failure here stops the engine and is never retried. */
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
  // A folder, for which the file layer keeps no descriptor.
  const descriptor = openSync(nodefs.realPath(stream.node), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
