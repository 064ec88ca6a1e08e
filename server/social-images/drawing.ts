import sharp, { type OverlayOptions } from 'sharp';
import type { SocialCard } from '../../app/site.ts';
import { fillLine, fitTitle } from './fit.ts';
import { EXPERIMENT, experimentSheet, INK, PAGE, PAPER, pageSheet } from './plates.ts';
import type { SetText, TextRenderer, TextStyle } from './text.ts';

type Experiment = Extract<SocialCard, { kind: 'experiment' }>;
type Page = Extract<SocialCard, { kind: 'page' }>;

sharp.cache(false);
sharp.concurrency(1);

const SECONDS = 10;
const LONGEST_TITLE = 240;
const LARGEST_COVER_PIXELS = 40_000_000;
/** Bytes; some link previews accept nothing larger. */
const MOST_BYTES = 150_000;
const BEST_QUALITY = 88;

/** @param cover bytes of an image; null for the placeholder @returns JPEG, 1200 × 630 */
export async function drawSheet(setter: TextRenderer, card: SocialCard, cover: Uint8Array | null): Promise<Buffer> {
  const [sheet, layers] =
    card.kind === 'page' ? await pageLayers(setter, card) : await experimentLayers(setter, card, cover);
  const print = await sharp(Buffer.from(sheet))
    .composite(layers)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const printed = (quality: number) =>
    sharp(print.data, { raw: print.info }).jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer();
  let picture = await printed(BEST_QUALITY);
  // Flat colours compress well; only a grainy cover needs this.
  for (let quality = BEST_QUALITY - 9; picture.length > MOST_BYTES && quality > 30; quality -= 9)
    picture = await printed(quality);
  return picture;
}

async function experimentLayers(
  setter: TextRenderer,
  card: Experiment,
  cover: Uint8Array | null,
): Promise<[string, OverlayOptions[]]> {
  const { words: place, ...places } = EXPERIMENT;
  const picture = cover && (await trimmed(cover));
  const client = await setter.drawable((card.client ?? '').slice(0, LONGEST_TITLE));
  const title = (await setter.drawable(card.title.slice(0, LONGEST_TITLE))) || client || card.site;
  const above = client === title ? null : await line(setter, client, CLIENT, place.width);
  const lead = above ? above.height + 24 : 0;
  const words = await fitTitle(setter, title, { ...place, height: place.height - lead }, INK);
  return [
    experimentSheet(picture !== null, card.shares),
    [
      ...(picture ? [{ input: picture, left: places.cover.x, top: places.cover.y }] : []),
      ...put(above, place.x, place.y),
      ...put(words, place.x, place.y + place.height - (words?.height ?? 0)),
      ...put(await mark(setter, card.site, INK, places.mark), places.mark.x, places.mark.y),
      ...put(await line(setter, card.slip.toUpperCase(), SLIP(INK), places.slip.width), places.slip.x, places.slip.y),
    ],
  ];
}

async function pageLayers(setter: TextRenderer, card: Page): Promise<[string, OverlayOptions[]]> {
  const { words, slip, mark: name } = PAGE;
  const lines = (await Promise.all(card.lines.map((line) => setter.drawable(line)))).filter(Boolean);
  const set: SetText[] = [];
  for (const [at, text] of lines.entries()) {
    const first = at === 0;
    const share = lines.length === 1 ? 0.62 : first ? 0.46 : 0.54;
    const box = { width: words.width, height: Math.floor((words.height - GAP) * share) };
    const filled = await fillLine(setter, text, HEADLINE, first ? [150] : [50, 75, 100], box);
    if (filled) set.push(filled);
  }
  const height = set.reduce((sum, text) => sum + text.height + GAP, -GAP);
  let y = words.y + Math.round((words.height - height) / 2);
  const layers: OverlayOptions[] = [];
  for (const text of set) {
    layers.push(...put(text, words.x, y));
    y += text.height + GAP;
  }
  const [upper, lower] = card.handFirst ? [INK, PAPER] : [PAPER, INK];
  return [
    pageSheet(card.handFirst),
    [
      ...layers,
      ...put(await line(setter, card.slip.toUpperCase(), SLIP(upper), slip.width), slip.x, slip.y),
      ...put(await mark(setter, card.site, lower, name), name.x, name.y),
    ],
  ];
}

const GAP = 26;
const HEADLINE: TextStyle = { face: 'display', size: 200, wght: 900, colour: PAPER };
const CLIENT: TextStyle = { face: 'display', size: 27, wdth: 100, wght: 750, colour: INK };
const SLIP = (colour: string): TextStyle => ({ face: 'machine', size: 21, wght: 550, colour });

async function mark(
  setter: TextRenderer,
  site: string,
  colour: string,
  box: { width: number; height: number },
): Promise<SetText | null> {
  const letters = [...(await setter.drawable(site)).toUpperCase()];
  const middle = Math.floor(letters.length * 0.4);
  const set = (size: number) => {
    const voice = { face: 'display', size, wght: 900, colour } as const;
    return setter.set([
      [letters.slice(0, middle).join(''), { ...voice, wdth: 150 }],
      [letters.slice(middle).join(''), { ...voice, wdth: 50 }],
    ]);
  };
  const trial = await set(48);
  if (!trial || trial.width <= box.width) return trial;
  return set(Math.floor((48 * box.width) / trial.width));
}

async function line(setter: TextRenderer, text: string, voice: TextStyle, width: number): Promise<SetText | null> {
  const letters = [...(await setter.drawable(text))];
  const whole = await setter.set([[letters.join(''), voice]]);
  if (!whole || whole.width <= width) return whole;
  for (let kept = Math.floor((letters.length * width) / whole.width); kept > 0; kept--) {
    const cut = await setter.set([[`${letters.slice(0, kept).join('').trimEnd()}…`, voice]]);
    if (cut && cut.width <= width) return cut;
  }
  return null;
}

const put = (text: SetText | null, left: number, top: number): OverlayOptions[] =>
  text ? [{ input: text.picture, left, top }] : [];

async function trimmed(cover: Uint8Array): Promise<Buffer | null> {
  const { width, height } = EXPERIMENT.cover;
  try {
    return await sharp(cover, { limitInputPixels: LARGEST_COVER_PIXELS })
      .rotate()
      .resize(width, height, { fit: 'cover' })
      .flatten({ background: PAPER })
      .png({ compressionLevel: 1 })
      .timeout({ seconds: SECONDS })
      .toBuffer();
  } catch {
    return null;
  }
}
