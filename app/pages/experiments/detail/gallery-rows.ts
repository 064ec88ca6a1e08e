import type { Media } from '../../../models/media/media.ts';

type Item = Media & { id: string };

export interface Place {
  media: Item[];
  share: number;
  abreast: number;
}

const NARROW = 0.6;
const WIDE = 2.2;
const UNKNOWN = 4 / 3;
const FILM = 16 / 9;

export const shapeOf = ({ type, width, height }: Media): number =>
  type === 'image' ? Math.min(WIDE, Math.max(NARROW, width && height ? width / height : UNKNOWN)) : FILM;

/** Two per row, in order; three in the last row of an odd number. Neighbours titled Before… and After… share a row. */
export function galleryRows(media: Item[]): Place[] {
  const places: Place[] = [];
  const run: Item[] = [];
  const finishRun = () => {
    while (run.length) places.push(...row(run.splice(0, run.length === 3 ? 3 : 2)));
  };
  for (let i = 0; i < media.length; i++) {
    const [first, second] = [media[i]!, media[i + 1]];
    if (second && isBeforeAndAfter(first, second)) {
      finishRun();
      places.push({ media: [first, second], share: 1, abreast: 1 });
      i++;
    } else {
      run.push(first);
    }
  }
  finishRun();
  return places;
}

function row(items: Item[]): Place[] {
  const whole = items.reduce((sum, item) => sum + shapeOf(item), 0);
  return items.map((item) => ({ media: [item], share: shapeOf(item) / whole, abreast: items.length }));
}

const isBeforeAndAfter = (first: Media, second: Media): boolean =>
  first.type === 'image' && second.type === 'image' && named(first, 'before') && named(second, 'after');

const named = ({ title }: Media, word: string) => new RegExp(`^\\s*${word}\\b`, 'i').test(title ?? '');
