import { closeSync, fsyncSync, openSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Node = { name: string; parent: Node };

type Stream = { nfd?: number; node: Node };

type Operation = (...args: never[]) => unknown;

interface EmscriptenModule {
  NODEFS: {
    realPath(node: Node): string;
    stream_ops: Record<'open' | 'close' | 'setattr' | 'fsync', Operation> & {
      llseek(stream: Stream, offset: number, whence: number): number;
      write(stream: Stream, bytes: Uint8Array, offset: number, length: number, position: number): number;
    };
    node_ops: Record<(typeof FILE_OPERATIONS)[number], Operation>;
  };
}

const INPUT_OUTPUT_ERROR = 29;
const SEEK_END = 2;
const FILE_OPERATIONS = ['rename', 'unlink', 'rmdir', 'setattr'] as const;

/**
 * Transactions may share an fsync; no client gets a response before it. Any other write, rename or removal flushes the
 * log first, so data never precedes its log (docs/decisions/050).
 */
export class GroupCommit {
  canDefer = false;
  readonly #pending = new Set<number>();
  #failure: Error | null = null;

  /** True while the engine relies on log that is not on disk, or that failed to get there. */
  get isFlushPending(): boolean {
    return this.#pending.size > 0 || this.#failure !== null;
  }

  /** @throws Error after any failed fsync, now or earlier: the engine relies on data that may be lost */
  flush(): void {
    this.#tryFlush();
    if (this.#failure) throw this.#failure;
  }

  fsync(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
    if (isWal(stream) && stream.nfd !== undefined) {
      this.#pending.add(stream.nfd);
      if (!this.canDefer) this.flush();
    } else fsyncStream(stream, nodefs);
  }

  beforeWrite(stream: Stream): void {
    if (this.isFlushPending && !isWal(stream)) this.#tryFlush();
  }

  beforeClose({ nfd }: Stream): void {
    if (nfd !== undefined && this.#pending.has(nfd)) this.#tryFlush();
  }

  beforeChange(): void {
    if (this.isFlushPending) this.#tryFlush();
  }

  #tryFlush(): void {
    try {
      for (const descriptor of this.#pending) fsyncSync(descriptor);
    } catch (error) {
      // Never retried: the kernel may have dropped the unwritten pages.
      this.#failure ??= error as Error;
    }
    this.#pending.clear();
  }
}

const isWal = ({ node }: Stream) => node.parent.name === 'pg_wal';

/** PGlite's own file layer ignores fsync. A failure here stops the engine and is never retried. */
export class DurableNodeFS extends NodeFS {
  readonly #groupCommit: GroupCommit;

  constructor(folder: string, groupCommit: GroupCommit) {
    super(folder);
    this.#groupCommit = groupCommit;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...args);
    const groupCommit = this.#groupCommit;
    result.emscriptenOpts.preRun?.push((module: unknown) => {
      const { NODEFS } = module as EmscriptenModule;
      const { stream_ops: streams, node_ops: nodes } = NODEFS;
      streams.fsync = (stream: Stream) => {
        try {
          groupCommit.fsync(stream, NODEFS);
          return 0;
        } catch {
          return INPUT_OUTPUT_ERROR;
        }
      };
      streams.close = runBefore(streams.close, (stream) => groupCommit.beforeClose(stream));
      // Saves the planner a kernel call per table, a tenth of its time. Valid because the lock excludes other writers.
      let sizes = new WeakMap<Node, number>();
      const { llseek, write } = streams;
      streams.llseek = (stream, offset, whence) => {
        if (whence !== SEEK_END || offset !== 0) return llseek(stream, offset, whence);
        const size = sizes.get(stream.node) ?? llseek(stream, offset, whence);
        sizes.set(stream.node, size);
        return size;
      };
      streams.write = (stream, bytes, offset, length, position) => {
        groupCommit.beforeWrite(stream);
        const written = write(stream, bytes, offset, length, position);
        const end = position + written;
        if (end > (sizes.get(stream.node) ?? end)) sizes.set(stream.node, end);
        return written;
      };
      streams.open = runBefore(streams.open, ({ node }) => sizes.delete(node));
      streams.setattr = runBefore(streams.setattr, ({ node }) => {
        groupCommit.beforeChange();
        sizes.delete(node);
      });
      for (const name of FILE_OPERATIONS)
        nodes[name] = runBefore(nodes[name], () => {
          groupCommit.beforeChange();
          sizes = new WeakMap();
        });
    });
    return result;
  }
}

const runBefore =
  (operation: Operation, action: (stream: Stream) => void): Operation =>
  (...args: never[]) => {
    action(args[0]!);
    return operation(...args);
  };

function fsyncStream(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
  // The file layer keeps no descriptor of a folder.
  const descriptor = stream.nfd ?? openSync(nodefs.realPath(stream.node), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    if (descriptor !== stream.nfd) closeSync(descriptor);
  }
}
