import { open, rm, writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { DiskSpace } from '../../data-dir/disk-space.ts';
import { errors, StorageError } from '../errors.ts';
import { openBytes, type Store, type StoredFile, StoreUnavailable } from '../store.ts';
import type { TempFiles } from '../temp-files.ts';
import type { Decoder } from './decoder.ts';
import { acceptedFormat, type ImageFormat, VARIANT_WIDTHS } from './image-format.ts';
import type { CreationMethod, Provenance } from './provenance.ts';
import type { ImageInfo } from './rewrite.ts';

const PREGENERATED_WIDTHS = [320, 640, 960, 1280];
const MAX_QUEUED = 8;
const QUALITIES = [30, 50, 65, 80, 100];
const SERVER_CLIENT = '';

export const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;

export interface Gravity {
  to: (typeof GRAVITIES)[number];
  /** Offset from `to`: below 1 a fraction of the scaled image's side, otherwise pixels. With `fp` the point itself. */
  x: number | undefined;
  y: number | undefined;
}

function scaleGravity(gravity: Gravity, factor: number): Gravity {
  const scale = (offset: number | undefined) =>
    offset === undefined || gravity.to === 'fp' || Math.abs(offset) < 1 ? offset : offset * factor;
  return { ...gravity, x: scale(gravity.x), y: scale(gravity.y) };
}

export interface ImageVariant {
  width: number | null;
  height: number | null;
  resize: 'cover' | 'contain' | 'fill';
  quality: number | null;
  format: ImageFormat;
  still: boolean;
  gravity: Gravity | null;
  creationMethod: CreationMethod | null;
  provenance: Provenance;
}

export function roundToLadder(requested: ImageVariant): ImageVariant {
  const leadSide = requested.width ?? requested.height;
  const quality = requested.quality === null ? null : QUALITIES.find((rung) => rung >= requested.quality!)!;
  if (leadSide === null) return { ...requested, quality };
  const rung = VARIANT_WIDTHS.find((width) => width >= leadSide) ?? VARIANT_WIDTHS.at(-1)!;
  const scaled = (side: number | null) =>
    side === null ? null : Math.min(4000, Math.max(1, Math.round((side * rung) / leadSide)));
  const gravity = requested.gravity && scaleGravity(requested.gravity, rung / leadSide);
  return { ...requested, quality, gravity, width: scaled(requested.width), height: scaled(requested.height) };
}

/** Only the widths that pages use are cached; other variants are rendered per request. */
const isCacheable = ({ width, height, quality, resize }: ImageVariant) =>
  width !== null && height === null && quality === null && resize !== 'fill';

const partName = ({ width, height, resize, quality, format, still, creationMethod }: ImageVariant) =>
  [
    width === null && height === null ? 'full' : `${width ?? ''}${height === null ? '' : `x${height}`}`,
    width !== null && height !== null && resize !== 'cover' ? resize : '',
    quality === null ? '' : `q${quality}`,
    still ? 'still' : '',
    format,
    creationMethod ?? '',
  ]
    .filter(Boolean)
    .join('-')
    .replace(/^x/, 'h');

type Dependencies = { store: Store; disk: DiskSpace; tempFiles: TempFiles; decoder: Decoder; log: Logger };

export class ImageVariants {
  readonly #deps: Dependencies;
  readonly #running = new Map<string, Promise<Uint8Array>>();
  readonly #queue: ({ version: string } & ImageInfo)[] = [];
  #worker: Promise<void> | null = null;
  #closed = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Opens or renders the variant; concurrent calls share the work. @throws InsufficientStorage (507) for an uncached size
   * @param checkRate called before rendering; throws above the limit
   */
  async find(version: string, variant: ImageVariant, client: string, checkRate: () => Promise<void>) {
    if (!isCacheable(variant)) return this.#renderUncached(version, variant, client, checkRate);
    const part = partName(variant);
    const cached = await this.#deps.store.open(version, part);
    if (cached) return cached;
    const key = `${version}/${part}`;
    if (!this.#running.has(key)) await checkRate();
    const rendering = this.#running.get(key) ?? this.#renderCached(version, part, variant, client);
    this.#running.set(key, rendering);
    try {
      return openBytes(await rendering);
    } finally {
      this.#running.delete(key);
    }
  }

  pregenerate(version: string, image: ImageInfo): void {
    if (this.#closed || this.#queue.length >= MAX_QUEUED) return;
    this.#queue.push({ version, ...image });
    this.#worker ??= this.#runQueue().finally(() => (this.#worker = null));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    await this.#worker;
    await Promise.allSettled(this.#running.values());
  }

  async whenIdle(): Promise<void> {
    while (this.#worker) await this.#worker;
  }

  async #runQueue(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      // The first step wider than the original represents it; wider ones would be identical.
      const widths = PREGENERATED_WIDTHS.filter((_, at) => at === 0 || PREGENERATED_WIDTHS[at - 1]! < next!.width);
      for (const format of ['webp', 'avif'] as const) {
        for (const width of widths) {
          if (this.#closed) return;
          try {
            if (!(await this.#deps.disk.has('files'))) return;
            // Pages show the first frame of an animation and play the original.
            const still = next.animated;
            const label = { creationMethod: null, provenance: next.provenance ?? {} };
            const shape = { height: null, resize: 'cover', quality: null, gravity: null } as const;
            const variant: ImageVariant = { width, format, still, ...shape, ...label };
            await (await this.find(next.version, variant, SERVER_CLIENT, async () => {})).close();
          } catch (error) {
            if (!(error instanceof StorageError))
              this.#deps.log.warn({ err: error, version: next.version }, 'rendering an image variant failed');
          }
        }
      }
    }
  }

  async #renderCached(version: string, part: string, variant: ImageVariant, client: string): Promise<Uint8Array> {
    const bytes = await this.#deps.decoder.inSlot(() => this.#render(version, variant), client);
    const path = await this.#write(bytes, variant.format);
    if (!path) return bytes;
    try {
      // The object may have been deleted meanwhile: then this variant is removed with its bytes.
      await this.#deps.store.put(version, part, path);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    } finally {
      await rm(path, { force: true });
    }
    return bytes;
  }

  async #renderUncached(version: string, variant: ImageVariant, client: string, checkRate: () => Promise<void>) {
    if (!(await this.#deps.disk.has('files'))) throw errors.insufficientStorage();
    await checkRate();
    const bytes = await this.#deps.decoder.inSlot(() => this.#render(version, variant), client, true);
    // On disk rather than in memory while it is sent: it may be large and the client slow.
    const path = await this.#write(bytes, variant.format);
    if (!path) throw errors.insufficientStorage();
    return openAndUnlink(path);
  }

  async #write(bytes: Uint8Array, format: ImageFormat): Promise<string | null> {
    // Reserved first, so that concurrent writers cannot use the same space.
    using _held = this.#deps.disk.hold(bytes.length);
    const path = this.#deps.tempFiles.path(`.${format}`);
    try {
      if (!(await this.#deps.disk.has('files'))) return null;
      await writeFile(path, bytes, { mode: 0o600 });
      this.#deps.disk.take(bytes.length);
      return path;
    } catch (error) {
      await rm(path, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return null;
      throw error;
    }
  }

  async #render(version: string, variant: ImageVariant): Promise<Uint8Array<ArrayBuffer>> {
    await using source = await this.#deps.store.localFile(version);
    if (!source) throw errors.noSuchKey();
    try {
      return await this.#deps.decoder.run('makeVariant', source.path, variant);
    } catch (error) {
      throw error instanceof StorageError && error.statusCode === 422 ? errors.invalidSourceImage() : error;
    }
  }
}

/** POSIX allows unlinking an open file; its space is freed when it is closed. */
async function openAndUnlink(path: string): Promise<StoredFile> {
  const handle = await open(path, 'r').finally(() => rm(path, { force: true }));
  const { size } = await handle.stat();
  return {
    size,
    close: () => handle.close(),
    read: async ({ start, end } = { start: 0, end: size - 1 }) => handle.createReadStream({ start, end }),
  };
}

/** Output format: named in the request, else the best of `Accept`, else the original's. */
export function chooseFormat(
  { source, animated }: { source: ImageFormat; animated: boolean },
  format: string | undefined,
  accept: string,
): ImageFormat {
  const requested =
    format === 'avif' || format === 'webp' ? format : format === 'origin' ? source : (acceptedFormat(accept) ?? source);
  // AVIF would keep only the first frame of an animation.
  return requested === 'avif' && animated ? 'webp' : requested;
}
