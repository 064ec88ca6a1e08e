import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SocialCard } from '../../app/site.ts';
import { DiskSpace } from '../../packages/backend/data-dir/disk-space.ts';
import { createLog } from '../../packages/backend/http/log.ts';
import { DiskStore } from '../../packages/backend/storage/disk-store.ts';
import { drawCard } from './draw-card.ts';
import { fitTitle } from './fit.ts';
import { fontsIn } from './fonts.ts';
import { EXPERIMENT } from './sheets.ts';
import { socialImages } from './social-images.ts';
import { TextRenderer } from './text.ts';

const quiet = createLog('silent');
let folder: string;
let setter: TextRenderer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-'));
  setter = new TextRenderer(await fontsIn(join(folder, 'faces')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const brand = { colours: { hand: '#ee3a12', machine: '#2a44f5', paper: '#edeff0' }, onHand: '#1b1220' };
const texts = { title: 'The Chai That Answers Back', client: 'Kulhad & Sons', slip: 'EXP 0001 · AI Solutions · 2026' };
const chai = { site: 'Madhouse', ...brand, ...texts, shares: null, cover: null };
const experiment = (more: object = {}): SocialCard => ({ kind: 'experiment', ...chai, ...more });
const lines = ['Handmade', 'with machines.'];
const page: SocialCard = { kind: 'page', site: 'Madhouse', ...brand, lines, slip: 'Mumbai', handFirst: true };

const disk = new DiskSpace(tmpdir(), 0);
const HAND = [238, 58, 18];
const MACHINE = [42, 68, 245];
const PAPER = [237, 239, 240];

type Place = { x: number; y: number; width: number; height: number };

/** Share of the pixels in an area that have this colour, within the tolerance of JPEG compression. */
async function share(picture: Uint8Array, { x, y, width, height }: Place, colour: number[]): Promise<number> {
  const { data } = await sharp(picture)
    .extract({ left: x, top: y, width, height })
    .raw()
    .toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += 3)
    if (colour.every((channel, offset) => Math.abs(data[at + offset]! - channel) < 24)) found++;
  return found / (width * height);
}

/** Checks that no part of a title crosses the edges of its area. */
async function expectInsidePlate(picture: Uint8Array): Promise<void> {
  const { x, y, width, height } = EXPERIMENT.words;
  const margin = 20;
  expect(await share(picture, { x: x + width, y, width: margin, height }, HAND), 'right').toBeGreaterThan(0.99);
  expect(await share(picture, { x: 0, y, width: x - 2, height }, HAND), 'left').toBeGreaterThan(0.99);
  expect(await share(picture, { x, y: y + height, width, height: margin }, HAND), 'below').toBeGreaterThan(0.99);
  expect(await share(picture, { x, y: y - margin, width, height: margin - 2 }, HAND), 'above').toBeGreaterThan(0.99);
}

describe('a social image', () => {
  it('is 1200 × 630 and small enough for link previews', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 90 };
    const create = { width: 640, height: 480, channels: 3, background: '#888', noise } as const;
    const grain = await sharp({ create }).png().toBuffer();
    for (const [card, cover] of [
      [page, null],
      [experiment(), null],
      [experiment(), grain],
    ] as const) {
      const picture = await drawCard(setter, card, cover);
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
      expect(picture.length).toBeLessThan(150_000);
    }
  });

  it.each([
    'Sun',
    'Explaining a Heat Map to a Farmer Who Already Knows It Is Hot, and Then Explaining the Farmer to the Heat Map, in Seven Languages, Twice a Week, Without Ever Using the Word Data or the Letter Q, Really',
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrikationsgesellschaft',
    'W'.repeat(200),
    '₹5,00,000 & <b>“quotes”</b> 😀',
    '&amp; <span font="500">big</span> \u0000\u2028\ud800',
    'जब मुंबई बोलती है, 東京も聞いている, والقاهرة تجيب',
  ])('keeps its title on the plate: %s', async (title) => {
    const picture = await drawCard(setter, experiment({ title }), null);
    await expectInsidePlate(picture);
    expect(await share(picture, EXPERIMENT.words, HAND), 'there is a title').toBeLessThan(0.97);
  });

  it('renders markup in a title as text', async () => {
    const box = { width: 500, height: 300 };
    const [plain, marked] = await Promise.all(['a', '<b>a</b>'].map((text) => fitTitle(setter, text, box, '#000')));
    expect(marked!.width).toBeGreaterThan(2 * plain!.width);
  });

  it('omits characters without a glyph instead of drawing empty boxes', async () => {
    expect(await setter.drawable('Chai \ufdd0\ufdd1 Atlas\u{1fffe}')).toBe('Chai Atlas');
    expect(await setter.drawable(' ₹ 100 – “Łódź”\t\nnow ')).toBe('₹ 100 – “Łódź” now');
  });

  it.each(['', '\ufdd0', '\u200d\u00ad'])('shows a default text without a title (%j)', async (title) => {
    const picture = await drawCard(setter, experiment({ title, client: null }), null);
    expect(await share(picture, EXPERIMENT.words, HAND)).toBeLessThan(0.97);
  });

  it('shows the shares of hand and machine in two overlapping inks', async () => {
    const picture = await drawCard(setter, experiment({ shares: { hand: 75, together: 50 } }), null);
    const { x, y, width, height } = EXPERIMENT.strip;
    const part = (from: number, to: number) => ({
      x: Math.round(x + (width * from) / 100) + 2,
      y: y + 2,
      width: Math.round((width * (to - from)) / 100) - 4,
      height: height - 4,
    });
    expect(await share(picture, part(0, 50), HAND)).toBeGreaterThan(0.95);
    expect(await share(picture, part(50, 100), [39, 15, 17])).toBeGreaterThan(0.95);
    const silent = await drawCard(setter, experiment(), null);
    expect(await share(silent, part(0, 70), PAPER)).toBeGreaterThan(0.95);
  });

  it('shows the cover, or a placeholder when none can be decoded', async () => {
    const create = { width: 400, height: 300, channels: 3, background: '#00ff80' } as const;
    const cover = await sharp({ create }).png().toBuffer();
    const inside = { x: EXPERIMENT.cover.x + 8, y: EXPERIMENT.cover.y + 8, width: 512, height: 380 };
    const around = { x: 1180, y: 0, width: 20, height: 500 };
    const shown = await drawCard(setter, experiment(), cover);
    expect(await share(shown, inside, [0, 255, 128])).toBeGreaterThan(0.98);
    expect(await share(shown, around, MACHINE)).toBeGreaterThan(0.9);
    for (const nothing of [null, Buffer.from('no picture'), Buffer.alloc(0)]) {
      const without = await drawCard(setter, experiment(), nothing);
      expect(await share(without, inside, PAPER)).toBeGreaterThan(0.2);
      expect(await share(without, inside, HAND)).toBeGreaterThan(0.1);
    }
  });
});

describe('rendering social images', () => {
  const none = () => Promise.resolve(null);
  let number = 0;
  const begin = () => {
    const root = join(folder, `kept-${number++}`);
    const open = () => socialImages(new DiskStore(root), join(folder, 'faces'), disk, quiet);
    return { root, stored: join(root, 'social'), open, draw: open() };
  };

  it('renders each version once and survives a restart', async () => {
    const { stored, open, draw } = begin();
    let covers = 0;
    const cover = async () => {
      covers++;
      return null;
    };
    const all = await Promise.all(Array.from({ length: 12 }, () => draw(experiment(), 'one', cover)));
    expect(new Set(all.map((picture) => Buffer.from(picture!).toString('base64'))).size).toBe(1);
    const repeated = await open()(experiment(), 'one', cover);
    expect(Buffer.from(repeated!).equals(Buffer.from(all[0]!))).toBe(true);
    expect(covers).toBe(1);
    expect(await readdir(stored)).toEqual(['one.jpg']);
  });

  it('renders one at a time, with a short queue, and rejects the rest', async () => {
    const { draw } = begin();
    let [atOnce, most] = [0, 0];
    const cover = async () => {
      atOnce++;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
      return null;
    };
    const pending = Array.from({ length: 30 }, (_, at) => draw(page, `version-${at}`, cover));
    const pictures = await Promise.all(pending);
    expect(most).toBe(1);
    expect(pictures.filter(Boolean)).toHaveLength(9);
    expect(await draw(page, 'version-29', none)).not.toBeNull();
  });

  it('continues after a failed rendering and does not store it', async () => {
    const { stored, draw } = begin();
    const fails = draw(experiment(), 'bad', () => Promise.reject(new Error('The store is away')));
    const works = draw(experiment(), 'good', none);
    await expect(fails).rejects.toThrow('The store is away');
    expect(await works).not.toBeNull();
    expect(await readdir(stored)).toEqual(['good.jpg']);
    expect(await draw(experiment(), 'bad', none)).not.toBeNull();
  });

  it('stores a limited number of images and deletes the oldest first', async () => {
    const { stored, draw } = begin();
    await draw(page, 'first', none);
    for (let old = 0; old < 600; old++) {
      const path = join(stored, `old-${String(old).padStart(3, '0')}.jpg`);
      await writeFile(path, 'x');
      await utimes(path, 1_000 + old, 1_000 + old);
    }
    await draw(page, 'last', none);
    const names = await readdir(stored);
    expect(names.length).toBeLessThanOrEqual(600);
    expect(names).toEqual(expect.arrayContaining(['first.jpg', 'last.jpg', 'old-599.jpg']));
    expect(names).not.toContain('old-000.jpg');
  });

  it('responds even when the image cannot be stored', async () => {
    const { root, draw } = begin();
    await writeFile(root, 'a file where the folder should be');
    expect(await draw(page, 'one', none)).not.toBeNull();
  });
});
