import type { Media } from '#features/media/model/media.ts';

export type Item = Media & { id: string };

/** One picture, or two that are compared, with its share of the row's width. */
export type Place = { media: [Item] | [before: Item, after: Item]; share: number; abreast: number };

const MIN_RATIO = 0.6;
const MAX_RATIO = 2.2;
/** A picture at least this wide may have a row of its own. */
const WIDE = 1.15;
const UNKNOWN = 4 / 3;
const FILM = 16 / 9;

export const shapeOf = ({ type, width, height }: Media): number =>
  width && height ? Math.min(MAX_RATIO, Math.max(MIN_RATIO, width / height)) : type === 'image' ? UNKNOWN : FILM;

/** Alternates rows of one and two pictures. Neighbours titled Before… and After… become one comparison. */
export function galleryRows(media: Item[], cover: Media | null = null): Place[] {
  const places: Place[] = [];
  const run: Item[] = [];
  const finishRun = () => {
    let isAlone = run.length % 3 === 1 || (run.length % 3 === 0 && run.length > 0 && isWidePicture(run[0]!));
    for (; run.length; isAlone = !isAlone) places.push(...row(run.splice(0, isAlone ? 1 : 2)));
  };
  for (let i = 0; i < media.length; i++) {
    const [first, second] = [media[i]!, media[i + 1]];
    if (second && isBeforeAndAfter(first, second)) {
      finishRun();
      places.push({ media: [first, second], share: 1, abreast: 1 });
      i++;
    } else if (first !== cover) {
      run.push(first);
    }
  }
  finishRun();
  return places;
}

function row(items: Item[]): Place[] {
  const totalRatio = items.reduce((sum, item) => sum + shapeOf(item), 0);
  return items.map((item) => ({ media: [item], share: shapeOf(item) / totalRatio, abreast: items.length }));
}

const isWidePicture = (item: Media): boolean => item.type === 'image' && shapeOf(item) >= WIDE;

const isBeforeAndAfter = (first: Media, second: Media): boolean => isNamed(first, 'before') && isNamed(second, 'after');

const isNamed = ({ type, title, animated }: Media, word: string) =>
  type === 'image' && !animated && new RegExp(`^\\s*${word}\\b`, 'i').test(title ?? '');
