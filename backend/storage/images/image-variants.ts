import { open, rm, writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { DiskSpace } from '../../disk-space.ts';
import type { Semaphore } from '../../http/semaphore.ts';
import { errors, StorageError } from '../errors.ts';
import { inMemory, type Opened, type Store, StoreAway } from '../store.ts';
import type { TempFiles } from '../temp-files.ts';
import type { Decoder } from './decoder.ts';
import { type Gravity, scaledGravity } from './gravity.ts';
import { acceptedKind, type PictureKind } from './image-format.ts';
import type { Made, Provenance } from './provenance.ts';
import { LADDER } from './public-image-url.ts';
import type { Picture } from './rewrite.ts';

const AHEAD = [320, 640, 960, 1280];
const MOST_AHEAD = 8;
const QUALITIES = [30, 50, 65, 80, 100];
const NOBODY = '';

export type Fit = 'cover' | 'contain' | 'fill';

export interface Render {
  width: number | null;
  height: number | null;
  resize: Fit;
  quality: number | null;
  kind: PictureKind;
  still: boolean;
  gravity: Gravity | null;
  made: Made | null;
  provenance: Provenance;
}

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

/** Only widths of the ladder, which pages use, are cached; other variants are rendered per request. */
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

  /** @param parts `heavy` is acquired before `slots` by uncached sizes, so that they never occupy every slot */
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
   * Returns the render, creating it when missing; concurrent calls share the work.
   * @param address of the client: waiting clients are served in turn
   * @param mayMake called before rendering; throws to refuse it
   * @throws InsufficientStorage (507) for an uncached size while there is no space for files
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

  makeAhead(version: string, picture: Picture): void {
    if (this.#closed || this.#ahead.length >= MOST_AHEAD) return;
    this.#ahead.push({ version, ...picture });
    this.#worker ??= this.#work().finally(() => {
      this.#worker = null;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ahead.length = 0;
    await this.#worker;
    await Promise.allSettled(this.#running.values());
  }

  async idle(): Promise<void> {
    while (this.#worker) await this.#worker;
  }

  async #work(): Promise<void> {
    for (let next = this.#ahead.shift(); next; next = this.#ahead.shift()) {
      // The first step wider than the original represents it; wider ones would be identical.
      const useful = AHEAD.filter((_, at) => at === 0 || AHEAD[at - 1]! < next!.width);
      for (const kind of ['webp', 'avif'] as const) {
        for (const width of useful) {
          if (this.#closed) return;
          try {
            if (!(await this.#disk.has('files'))) return;
            // Pages show the first frame of an animation and play the original.
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
      // The object may have been deleted meanwhile: then this render is removed with its bytes.
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
    // On disk rather than in memory while it is sent: it may be large and the client slow.
    const path = await this.#write(bytes, render.kind);
    if (!path) throw errors.noSpace();
    return openOnce(path);
  }

  async #write(bytes: Uint8Array, kind: PictureKind): Promise<string | null> {
    // Reserved first, so that concurrent writers cannot use the same space.
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

/** A file that is removed after sending. POSIX allows unlinking an open file. */
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

/** Output format: named in the request, else the best of `Accept`, else the original's. */
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
