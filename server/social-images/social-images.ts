import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import type { SocialCard } from '../../app/site.ts';
import type { DiskSpace } from '../../packages/backend/data-dir/disk-space.ts';
import { shareOf } from '../../packages/backend/http/semaphore.ts';
import { chunksOf, type Store } from '../../packages/backend/storage/store.ts';
import type { TextRenderer } from './text.ts';

const FOLDER = 'social';
const MAX_IMAGES = 600;
const SWEEP_EXTRA = 100;
/** Queue limit: rendering one takes half a second of a core. */
const MAX_WAITING = 8;

export class SocialImages {
  readonly #store: Store;
  readonly #faces: string;
  readonly #disk: DiskSpace;
  readonly #log: Logger;
  readonly #maxWaiting: number;
  readonly #running = new Map<string, Promise<Uint8Array>>();
  #queue: Promise<unknown> = Promise.resolve();
  #renderer: TextRenderer | undefined;

  constructor(store: Store, faces: string, disk: DiskSpace, log: Logger, workers = 1) {
    this.#maxWaiting = shareOf(MAX_WAITING, workers);
    this.#store = store;
    this.#faces = faces;
    this.#disk = disk;
    this.#log = log;
  }

  /** @param version changes with everything on the card: letters, digits, hyphens @returns JPEG; null when too many wait */
  async draw(card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const running = () => this.#running.get(version);
    // Another request may begin while the store is queried.
    const found = running() ?? (await this.#read(version).catch(() => null)) ?? running();
    if (found) return found;
    if (this.#running.size > this.#maxWaiting) return null;
    const drawn = this.#queue.then(() => this.#make(card, version, cover)).finally(() => this.#running.delete(version));
    this.#queue = drawn.catch(() => {});
    this.#running.set(version, drawn);
    return drawn;
  }

  async #make(card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>): Promise<Uint8Array> {
    const { drawCard } = await import('./draw-card.ts');
    this.#renderer ??= await this.#loadRenderer();
    const picture = await drawCard(this.#renderer, card, await cover());
    await this.#save(version, picture).catch((err) => this.#log.warn({ err }, 'storing a social image failed'));
    return picture;
  }

  async #loadRenderer(): Promise<TextRenderer> {
    const [{ TextRenderer }, { fontsIn }] = await Promise.all([import('./text.ts'), import('./fonts.ts')]);
    return new TextRenderer(await fontsIn(this.#faces));
  }

  async #read(version: string): Promise<Uint8Array | null> {
    const opened = await this.#store.open(FOLDER, `${version}.jpg`);
    return opened && buffer(chunksOf(opened));
  }

  async #save(version: string, picture: Uint8Array): Promise<void> {
    if (!(await this.#disk.has('files', picture.byteLength))) return;
    await this.#store.put(FOLDER, `${version}.jpg`, picture);
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const images = await Array.fromAsync(this.#store.list(FOLDER));
    if (images.length <= MAX_IMAGES) return;
    const oldest = images
      .toSorted((one, other) => Number(one.modifiedAt) - Number(other.modifiedAt))
      .slice(0, SWEEP_EXTRA + images.length - MAX_IMAGES)
      .map(({ name }) => name);
    await this.#store.remove(FOLDER, oldest);
  }
}
