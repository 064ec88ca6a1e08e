import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import sharp, { type Sharp } from 'sharp';
import { errors, StorageError } from './errors.ts';
import { kindOfMime, type PictureKind } from './kinds.ts';
import type { Picture } from './picture.ts';
import type { Scratch } from './scratch.ts';
import type { Slots } from './slots.ts';
import type { Store } from './store.ts';

/** Widths that are made; every other width is rounded up to one of them. */
export const LADDER = [160, 320, 640, 960, 1280, 1920] as const;
/** Widths made ahead, right after an upload. */
const AHEAD = [320, 640, 960, 1280];
/** Pictures that may wait to be rendered ahead; those of a bulk import beyond it are rendered when somebody looks. */
const MOST_AHEAD = 8;
/** Qualities that are kept apart; every other is rounded up. */
const QUALITIES = [30, 50, 65, 80, 100];
/** Renders kept per object; odd sizes beyond are made and forgotten. */
const MOST_KEPT = 60;
const SECONDS = 10;

export type Fit = 'cover' | 'contain' | 'fill';

/** A picture to make, already brought to the sizes we make. */
export interface Render {
  width: number | null;
  height: number | null;
  resize: Fit;
  /** Null: the default of the format. */
  quality: number | null;
  kind: PictureKind;
}

/** Brings wanted sizes to the ladder: the width goes up to the next rung, the height with it. */
export function onLadder(wanted: Render): Render {
  const lead = wanted.width ?? wanted.height;
  const quality = wanted.quality === null ? null : QUALITIES.find((rung) => rung >= wanted.quality!)!;
  if (lead === null) return { ...wanted, quality };
  const rung = LADDER.find((width) => width >= lead) ?? LADDER.at(-1)!;
  const scaled = (side: number | null) =>
    side === null ? null : Math.min(4000, Math.max(1, Math.round((side * rung) / lead)));
  return { ...wanted, quality, width: scaled(wanted.width), height: scaled(wanted.height) };
}

const partOf = ({ width, height, resize, quality, kind }: Render) =>
  [
    width === null && height === null ? 'full' : `${width ?? ''}${height === null ? '' : `x${height}`}`,
    width !== null && height !== null && resize !== 'cover' ? resize : '',
    quality === null ? '' : `q${quality}`,
    kind,
  ]
    .filter(Boolean)
    .join('-')
    .replace(/^x/, 'h');

/** Makes smaller pictures of stored ones, once each, and keeps them beside the original. */
export class Renders {
  readonly #store: Store;
  readonly #scratch: Scratch;
  readonly #slots: Slots;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<string>>();
  readonly #ahead: { version: string; animated: boolean; width: number }[] = [];
  #worker: Promise<void> | null = null;
  #closed = false;

  constructor(parts: { store: Store; scratch: Scratch; slots: Slots; log: Logger }) {
    this.#store = parts.store;
    this.#scratch = parts.scratch;
    this.#slots = parts.slots;
    this.#log = parts.log;
  }

  /**
   * The part that holds the render, made now when it does not exist. The same render asked for twice is made once.
   * @returns the part's name, and `path` when the result is too odd to be kept (the caller removes it)
   */
  async partFor(version: string, render: Render): Promise<{ part: string } | { path: string }> {
    const part = partOf(render);
    const kept = await this.#store.parts(version);
    if (kept.includes(part)) return { part };
    if (kept.length >= MOST_KEPT) return { path: await this.#slots.run(() => this.#make(version, render)) };
    const key = `${version}/${part}`;
    const running = this.#running.get(key) ?? this.#keep(version, part, render);
    this.#running.set(key, running);
    try {
      return { part: await running };
    } finally {
      this.#running.delete(key);
    }
  }

  /** Makes the usual widths in the background, one at a time. */
  makeAhead(version: string, { width, animated }: Picture): void {
    if (this.#closed || this.#ahead.length >= MOST_AHEAD) return;
    this.#ahead.push({ version, animated, width });
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
      for (const kind of next.animated ? (['webp'] as const) : (['webp', 'avif'] as const)) {
        for (const width of useful) {
          if (this.#closed) return;
          try {
            await this.partFor(next.version, { width, height: null, resize: 'cover', quality: null, kind });
          } catch (error) {
            if (!(error instanceof StorageError))
              this.#log.warn({ err: error, version: next.version }, 'render failed');
          }
        }
      }
    }
  }

  async #keep(version: string, part: string, render: Render): Promise<string> {
    const made = await this.#slots.run(() => this.#make(version, render));
    try {
      // The object may have gone while we worked: a render alone would never be found again.
      if (!(await this.#store.localFile(version, 'original'))) throw errors.noSuchKey();
      await this.#store.put(version, part, made);
      return part;
    } finally {
      await rm(made, { force: true });
    }
  }

  async #make(version: string, { width, height, resize, quality, kind }: Render): Promise<string> {
    const source = await this.#store.localFile(version, 'original');
    if (!source) throw errors.noSuchKey();
    const path = this.#scratch.path(`.${kind}`);
    try {
      const picture = sharp(source, { animated: kind === 'webp' || kind === 'gif', limitInputPixels: 40_000_000 });
      const resized =
        width === null && height === null
          ? picture
          : picture.resize(width, height, {
              fit: resize === 'contain' ? 'inside' : resize,
              withoutEnlargement: true,
            });
      await encoded(resized, kind, quality).timeout({ seconds: SECONDS }).toFile(path);
      return path;
    } catch (error) {
      await rm(path, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw errors.noSpace();
      throw errors.invalidRequest('The object is not a picture that can be transformed');
    }
  }
}

function encoded(picture: Sharp, kind: PictureKind, quality: number | null): Sharp {
  switch (kind) {
    case 'webp':
      return picture.webp({ quality: quality ?? 78 });
    case 'avif':
      return picture.avif({ quality: quality ?? 55, effort: 2 });
    case 'jpeg':
      return picture.jpeg({ quality: quality ?? 80, mozjpeg: true });
    case 'png':
      return picture.png({ compressionLevel: 8 });
    case 'gif':
      return picture.gif();
  }
}

/** The kind to answer with: asked for by name, else what the reader's browser accepts, else the original's. */
export function kindFor(
  { mime, animated }: { mime: string; animated: boolean },
  format: string | undefined,
  accept: string,
): PictureKind {
  const original = kindOfMime(mime);
  if (!original) throw errors.invalidRequest('The object is not a picture that can be transformed');
  const wanted =
    format === 'avif' || format === 'webp'
      ? format
      : format === 'origin'
        ? original
        : accept.includes('image/avif')
          ? 'avif'
          : accept.includes('image/webp')
            ? 'webp'
            : original;
  // AVIF would keep only the first frame of an animation.
  return wanted === 'avif' && animated ? 'webp' : wanted;
}
