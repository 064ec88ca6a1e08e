import { open, rm, writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { DiskSpace } from '../../disk-space.ts';
import type { Semaphore } from '../../http/semaphore.ts';
import { errors, StorageError } from '../errors.ts';
import { inMemory, type Opened, type Store, StoreAway } from '../store.ts';
import type { TempFiles } from '../temp-files.ts';
import type { Decoder } from './decoder.ts';
import { type Gravity, scaledGravity } from './gravity.ts';
import { acceptedKind, type PictureKind } from './kinds.ts';
import type { Made, Provenance } from './label.ts';
import type { Picture } from './picture.ts';
import { LADDER } from './public-address.ts';

/** Widths made ahead, right after an upload. */
const AHEAD = [320, 640, 960, 1280];
/** Pictures that may wait to be rendered ahead; those of a bulk import beyond it are rendered when somebody looks. */
const MOST_AHEAD = 8;
/** Qualities that are kept apart; every other is rounded up. */
const QUALITIES = [30, 50, 65, 80, 100];
/** Who waits for a slot when a render is made ahead. */
const NOBODY = '';

export type Fit = 'cover' | 'contain' | 'fill';

/** A picture to make, already brought to the sizes we make. */
export interface Render {
  width: number | null;
  height: number | null;
  resize: Fit;
  /** Null: the default of the format. */
  quality: number | null;
  kind: PictureKind;
  /** The first frame alone, of a picture that has more. */
  still: boolean;
  /** Which part stays; null for the middle. */
  gravity: Gravity | null;
  /** The mark of its record, and the origin that the uploaded file named: its label. */
  made: Made | null;
  provenance: Provenance;
}

/** Brings wanted sizes to the ladder: the width goes up to the next rung, the height with it. */
export function onLadder(wanted: Render): Render {
  const lead = wanted.width ?? wanted.height;
  const quality = wanted.quality === null ? null : QUALITIES.find((rung) => rung >= wanted.quality!)!;
  if (lead === null) return { ...wanted, quality };
  const rung = LADDER.find((width) => width >= lead) ?? LADDER.at(-1)!;
  const scaled = (side: number | null) =>
    side === null ? null : Math.min(4000, Math.max(1, Math.round((side * rung) / lead)));
  const gravity = wanted.gravity && scaledGravity(wanted.gravity, rung / lead);
  return { ...wanted, quality, gravity, width: scaled(wanted.width), height: scaled(wanted.height) };
}

/** What pages ask for is a width of the ladder and nothing else; whatever else can be asked for is made, sent and forgotten. */
const isKept = ({ width, height, quality }: Render) => width !== null && height === null && quality === null;

const partOf = ({ width, height, resize, quality, kind, still, made }: Render) =>
  [
    width === null && height === null ? 'full' : `${width ?? ''}${height === null ? '' : `x${height}`}`,
    width !== null && height !== null && resize !== 'cover' ? resize : '',
    quality === null ? '' : `q${quality}`,
    still ? 'still' : '',
    kind,
    made ?? '',
  ]
    .filter(Boolean)
    .join('-')
    .replace(/^x/, 'h');

/** Makes smaller pictures of stored ones and keeps those that pages ask for beside the original, while there is room. */
export class ImageVariants {
  readonly #store: Store;
  readonly #disk: DiskSpace;
  readonly #scratch: TempFiles;
  readonly #decoder: Decoder;
  readonly #slots: Semaphore;
  readonly #heavy: Semaphore;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<Uint8Array>>();
  readonly #ahead: ({ version: string } & Picture)[] = [];
  #worker: Promise<void> | null = null;
  #closed = false;

  /** @param parts `heavy` is passed before `slots` by sizes that are not kept, so that they never take every slot */
  constructor(parts: {
    store: Store;
    disk: DiskSpace;
    scratch: TempFiles;
    decoder: Decoder;
    slots: Semaphore;
    heavy: Semaphore;
    log: Logger;
  }) {
    this.#store = parts.store;
    this.#disk = parts.disk;
    this.#decoder = parts.decoder;
    this.#heavy = parts.heavy;
    this.#scratch = parts.scratch;
    this.#slots = parts.slots;
    this.#log = parts.log;
  }

  /**
   * The render, made now when it is not there; asking for one that is costs the store one question. The same one asked for
   * twice is made once.
   * @param address who asks: those who wait are served in turn
   * @param mayMake asked before anything is made; throws when it may not be
   * @throws InsufficientStorage (507) for an odd size while there is no room for files
   */
  async find(version: string, render: Render, address: string, mayMake: () => Promise<void>): Promise<Opened> {
    if (!isKept(render)) return this.#makeOdd(version, render, address, mayMake);
    const part = partOf(render);
    const kept = await this.#store.open(version, part);
    if (kept) return kept;
    const key = `${version}/${part}`;
    if (!this.#running.has(key)) await mayMake();
    const made = this.#running.get(key) ?? this.#makeKept(version, part, render, address);
    this.#running.set(key, made);
    try {
      return inMemory(await made);
    } finally {
      this.#running.delete(key);
    }
  }

  /** Makes the usual widths in the background, one at a time. */
  makeAhead(version: string, picture: Picture): void {
    if (this.#closed || this.#ahead.length >= MOST_AHEAD) return;
    this.#ahead.push({ version, ...picture });
    this.#worker ??= this.#work().finally(() => {
      this.#worker = null;
    });
  }

  /** Stops after the render at hand. What is not made yet is made when it is asked for. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#ahead.length = 0;
    await this.#worker;
    await Promise.allSettled(this.#running.values());
  }

  /** Resolves when nothing is waiting; for tests and for the seed. */
  async idle(): Promise<void> {
    while (this.#worker) await this.#worker;
  }

  async #work(): Promise<void> {
    for (let next = this.#ahead.shift(); next; next = this.#ahead.shift()) {
      // The first rung that is wider than the original stands for it; further ones would be the same picture.
      const useful = AHEAD.filter((_, at) => at === 0 || AHEAD[at - 1]! < next!.width);
      for (const kind of ['webp', 'avif'] as const) {
        for (const width of useful) {
          if (this.#closed) return;
          try {
            // Without room it would only be thrown away again.
            if (!(await this.#disk.has('files'))) return;
            // Pages show the first frame of an animation; the whole is played from the original.
            const still = next.animated;
            const label = { made: null, provenance: next.provenance ?? {} };
            const shape = { height: null, resize: 'cover', quality: null, gravity: null } as const;
            const render: Render = { width, kind, still, ...shape, ...label };
            await (await this.find(next.version, render, NOBODY, async () => {})).close();
          } catch (error) {
            if (!(error instanceof StorageError))
              this.#log.warn({ err: error, version: next.version }, 'render failed');
          }
        }
      }
    }
  }

  async #makeKept(version: string, part: string, render: Render, address: string): Promise<Uint8Array> {
    const bytes = await this.#slots.run(() => this.#make(version, render), errors.busy, address);
    const path = await this.#write(bytes, render.kind);
    if (!path) return bytes;
    try {
      // The object may have gone while we worked: its bytes stay for a while, and this goes with them.
      await this.#store.put(version, part, path);
      return bytes;
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error;
      return bytes;
    } finally {
      await rm(path, { force: true });
    }
  }

  async #makeOdd(version: string, render: Render, address: string, mayMake: () => Promise<void>): Promise<Opened> {
    if (!(await this.#disk.has('files'))) throw errors.noSpace();
    await mayMake();
    const bytes = await this.#heavy.run(
      () => this.#slots.run(() => this.#make(version, render), errors.busy, address),
      errors.busy,
      address,
    );
    // Out of memory while it is sent: it may be large, and its reader slow.
    const path = await this.#write(bytes, render.kind);
    if (!path) throw errors.noSpace();
    return openOnce(path);
  }

  /** A scratch file with the bytes; null without room for it. */
  async #write(bytes: Uint8Array, kind: PictureKind): Promise<string | null> {
    // Held first: of many who write at once, none takes the room that another was promised.
    const giveBack = this.#disk.hold(bytes.length);
    const path = this.#scratch.path(`.${kind}`);
    try {
      if (!(await this.#disk.has('files'))) return null;
      await writeFile(path, bytes, { mode: 0o600 });
      this.#disk.take(bytes.length);
      return path;
    } catch (error) {
      await rm(path, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return null;
      throw error;
    } finally {
      giveBack();
    }
  }

  async #make(version: string, render: Render): Promise<Uint8Array<ArrayBuffer>> {
    const source = await this.#store.localFile(version, 'original');
    if (!source) throw errors.noSuchKey();
    try {
      return await this.#decoder.run('makeVariant', source.path, render);
    } catch (error) {
      throw error instanceof StorageError && error.statusCode === 422 ? errors.unrenderable() : error;
    } finally {
      await source.done();
    }
  }
}

/** A file that goes when it was sent. On the systems we run on an open file may be removed at once. */
async function openOnce(path: string): Promise<Opened> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  await rm(path, { force: true });
  return {
    size,
    close: () => handle.close(),
    read: async ({ start, end } = { start: 0, end: size - 1 }) => handle.createReadStream({ start, end }),
  };
}

/** The kind to answer with: asked for by name, else what the reader's browser accepts, else the original's. */
export function kindFor(
  { source, animated }: { source: PictureKind; animated: boolean },
  format: string | undefined,
  accept: string,
): PictureKind {
  const wanted =
    format === 'avif' || format === 'webp' ? format : format === 'origin' ? source : (acceptedKind(accept) ?? source);
  // AVIF would keep only the first frame of an animation.
  return wanted === 'avif' && animated ? 'webp' : wanted;
}
