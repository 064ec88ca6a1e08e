import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import type { SiteSettings, SocialCard } from '../../app/site.ts';
import type { DiskSpace } from '../../packages/backend/data-dir/disk-space.ts';
import { shareOf } from '../../packages/backend/http/semaphore.ts';
import { chunksOf, type Store } from '../../packages/backend/storage/store.ts';
import type { TextRenderer } from './text.ts';

const FOLDER = 'social';
const MAX_IMAGES = 600;
const SWEEP_EXTRA = 100;
/** Queue limit: rendering one takes half a second of a core. */
const MAX_WAITING = 8;

/** @returns draws and stores the JPEG of a card's `version` (letters, digits, hyphens); null when too many wait */
export function socialImages(store: Store, faces: string, disk: DiskSpace, log: Logger, workers = 1) {
  const maxWaiting = shareOf(MAX_WAITING, workers);
  const running = new Map<string, Promise<Uint8Array>>();
  let queue: Promise<unknown> = Promise.resolve();
  let renderer: TextRenderer | undefined;

  async function make(card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>) {
    const { drawCard } = await import('./draw-card.ts');
    renderer ??= await loadRenderer();
    const picture = await drawCard(renderer, card, await cover());
    await save(version, picture).catch((err) => log.warn({ err }, 'storing a social image failed'));
    return picture;
  }

  async function loadRenderer(): Promise<TextRenderer> {
    const [{ TextRenderer }, { fontsIn }] = await Promise.all([import('./text.ts'), import('./fonts.ts')]);
    return new TextRenderer(await fontsIn(faces));
  }

  async function read(version: string): Promise<Uint8Array | null> {
    const opened = await store.open(FOLDER, `${version}.jpg`);
    return opened && buffer(chunksOf(opened));
  }

  async function save(version: string, picture: Uint8Array): Promise<void> {
    if (!(await disk.has('files', picture.byteLength))) return;
    await store.put(FOLDER, `${version}.jpg`, picture);
    const images = await Array.fromAsync(store.list(FOLDER));
    if (images.length <= MAX_IMAGES) return;
    const oldest = images
      .toSorted((one, other) => Number(one.modifiedAt) - Number(other.modifiedAt))
      .slice(0, SWEEP_EXTRA + images.length - MAX_IMAGES)
      .map(({ name }) => name);
    await store.remove(FOLDER, oldest);
  }

  const draw: SiteSettings['drawCard'] = async (card, version, cover) => {
    // Another request may begin while the store is queried.
    const found = running.get(version) ?? (await read(version).catch(() => null)) ?? running.get(version);
    if (found) return found;
    if (running.size > maxWaiting) return null;
    const drawn = queue.then(() => make(card, version, cover)).finally(() => running.delete(version));
    queue = drawn.catch(() => {});
    running.set(version, drawn);
    return drawn;
  };
  return draw;
}
