import sharp, { type OverlayOptions } from 'sharp';
import type { SocialCard } from '../../app/site.ts';
import { type Box, fillLine, fitTitle } from './fit.ts';
import { EXPERIMENT, experimentSheet, INK, PAGE, pageSheet } from './sheets.ts';
import type { SetText, TextRenderer, TextStyle } from './text.ts';

type CardOf<Kind> = Extract<SocialCard, { kind: Kind }>;

sharp.cache(false);
sharp.concurrency(1);

const MAX_TITLE_LENGTH = 240;
/** Bytes; some link previews accept nothing larger. */
const MAX_BYTES = 150_000;
const BEST_QUALITY = 88;

/** @param cover bytes of an image; null for the placeholder @returns JPEG, 1200 × 630 */
export async function drawCard(renderer: TextRenderer, card: SocialCard, cover: Uint8Array | null): Promise<Buffer> {
  const [sheet, layers] =
    card.kind === 'page' ? await pageLayers(renderer, card) : await experimentLayers(renderer, card, cover);
  const layer = await sharp(Buffer.from(sheet))
    .composite(layers)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const encode = (quality: number) =>
    sharp(layer.data, { raw: layer.info }).jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer();
  let picture = await encode(BEST_QUALITY);
  // Flat colours compress well; only a grainy cover needs this.
  for (let quality = BEST_QUALITY - 9; picture.length > MAX_BYTES && quality > 30; quality -= 9)
    picture = await encode(quality);
  return picture;
}

async function experimentLayers(renderer: TextRenderer, card: CardOf<'experiment'>, cover: Uint8Array | null) {
  const { words: place, ...places } = EXPERIMENT;
  const picture = cover && (await trimmed(cover, card.colours.paper));
  const client = await renderer.drawable((card.client ?? '').slice(0, MAX_TITLE_LENGTH));
  const title = (await renderer.drawable(card.title.slice(0, MAX_TITLE_LENGTH))) || client || card.site;
  const clientLine = client === title ? null : await line(renderer, client, CLIENT(card.onHand), place.width);
  const lead = clientLine ? clientLine.height + 24 : 0;
  const words = await fitTitle(renderer, title, { ...place, height: place.height - lead }, card.onHand);
  const layers = [
    ...(picture ? [{ input: picture, left: places.cover.x, top: places.cover.y }] : []),
    ...overlay(clientLine, place),
    ...overlay(words, { x: place.x, y: place.y + place.height - (words?.height ?? 0) }),
    ...overlay(await mark(renderer, card.site, INK, places.mark), places.mark),
    ...overlay(await slip(renderer, card, INK, places.slip.width), places.slip),
  ];
  return [experimentSheet(card.colours, picture !== null, card.shares), layers] as const;
}

async function pageLayers(renderer: TextRenderer, card: CardOf<'page'>) {
  const { words } = PAGE;
  const lines = (await Promise.all(card.lines.map((line) => renderer.drawable(line)))).filter(Boolean);
  const set: SetText[] = [];
  for (const [at, text] of lines.entries()) {
    const first = at === 0;
    const share = lines.length === 1 ? 0.62 : first ? 0.46 : 0.54;
    const box = { width: words.width, height: Math.floor((words.height - GAP) * share) };
    const filled = await fillLine(renderer, text, HEADLINE(card.colours.paper), first ? [150] : [50, 75, 100], box);
    if (filled) set.push(filled);
  }
  const height = set.reduce((sum, text) => sum + text.height + GAP, -GAP);
  let y = words.y + Math.round((words.height - height) / 2);
  const layers: OverlayOptions[] = [];
  for (const text of set) {
    layers.push(...overlay(text, { x: words.x, y }));
    y += text.height + GAP;
  }
  const { paper } = card.colours;
  const [upper, lower] = card.handFirst ? [card.onHand, paper] : [paper, card.onHand];
  layers.push(...overlay(await slip(renderer, card, upper, PAGE.slip.width), PAGE.slip));
  layers.push(...overlay(await mark(renderer, card.site, lower, PAGE.mark), PAGE.mark));
  return [pageSheet(card.colours, card.handFirst), layers] as const;
}

const GAP = 26;
const HEADLINE = (colour: string): TextStyle => ({ face: 'display', size: 200, wght: 900, colour });
const CLIENT = (colour: string): TextStyle => ({ face: 'display', size: 27, wdth: 100, wght: 750, colour });

const slip = (renderer: TextRenderer, card: SocialCard, colour: string, width: number) =>
  line(renderer, card.slip.toUpperCase(), { face: 'machine', size: 21, wght: 550, colour }, width);

async function mark(renderer: TextRenderer, site: string, colour: string, box: Box) {
  const letters = [...(await renderer.drawable(site)).toUpperCase()];
  const middle = Math.floor(letters.length * 0.4);
  const set = (size: number) => {
    const style = { face: 'display', size, wght: 900, colour } as const;
    return renderer.set([
      [letters.slice(0, middle).join(''), { ...style, wdth: 150 }],
      [letters.slice(middle).join(''), { ...style, wdth: 50 }],
    ]);
  };
  const measured = await set(48);
  if (!measured || measured.width <= box.width) return measured;
  return set(Math.floor((48 * box.width) / measured.width));
}

async function line(renderer: TextRenderer, text: string, style: TextStyle, width: number): Promise<SetText | null> {
  const letters = [...(await renderer.drawable(text))];
  const whole = await renderer.set([[letters.join(''), style]]);
  if (!whole || whole.width <= width) return whole;
  for (let length = Math.floor((letters.length * width) / whole.width); length > 0; length--) {
    const cut = await renderer.set([[`${letters.slice(0, length).join('').trimEnd()}…`, style]]);
    if (cut && cut.width <= width) return cut;
  }
  return null;
}

const overlay = (text: SetText | null, { x, y }: { x: number; y: number }) =>
  text ? [{ input: text.picture, left: x, top: y }] : [];

async function trimmed(cover: Uint8Array, paper: string): Promise<Buffer | null> {
  const { width, height } = EXPERIMENT.cover;
  try {
    return await sharp(cover, { limitInputPixels: 40_000_000 })
      .rotate()
      .resize(width, height, { fit: 'cover' })
      .flatten({ background: paper })
      .png({ compressionLevel: 1 })
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch {
    return null;
  }
}
