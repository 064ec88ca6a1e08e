import { expect, it } from 'vitest';
import type { Media } from '#features/media/model/media.ts';
import { galleryRows } from './gallery-rows.ts';

const picture = (title: string, width = 400, height = 300) => ({
  id: title,
  type: 'image' as const,
  url: `https://pictures.example/${title}.png`,
  title,
  width,
  height,
  placeholder: null,
});
const layout = (items: Media[], cover?: Media) =>
  galleryRows(items as (Media & { id: string })[], cover).map(({ media, abreast }) => [
    media.map(({ title }) => title).join('+'),
    abreast,
  ]);
const pictures = (titles: string) => titles.split('').map((title) => picture(title));
const widths = (items: Media[]) => layout(items).map(([, abreast]) => abreast);

it('alternates rows of one and two pictures for any number of pictures', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => widths(pictures('abcdefgh'.slice(0, count))).join(''));
  expect(rows.join(' ')).toBe('1 22 122 1221 22122 122122 1221221 22122122');
});

it('starts with a row of two when the first item is an upright picture or a video', () => {
  const upright = picture('tall', 400, 500);
  expect(widths([upright, ...pictures('ab')])).toEqual([2, 2, 1]);
  expect(widths([{ ...picture('film'), type: 'video' }, ...pictures('ab')])).toEqual([2, 2, 1]);
  expect(widths([upright])).toEqual([1]);
});

it('excludes the cover from the gallery', () => {
  const [a, b, c] = pictures('abc');
  expect(layout([a!, b!, c!], b).join(' ')).toBe('a,2 c,2');
});

it('pairs neighbours titled Before and After as a comparison, cover included, unless they are animated', () => {
  const titles = ['a', 'Before: the wall', 'after', 'Before noon', 'c', 'After', 'Afterwards'];
  const items = titles.map((title) => picture(title));
  const expected = 'a,1|Before: the wall+after,1|Before noon,1|c,2|After,2|Afterwards,1';
  expect(layout(items).join('|')).toBe(expected);
  expect(layout(items, items[1]).join('|')).toBe(expected);
  expect(widths([picture('before'), { ...picture('after'), animated: true }])).toEqual([2, 2]);
});

it('gives wide pictures more of the row, and narrow ones a minimum', () => {
  const [wide, tall] = galleryRows([picture('wide', 3000, 500), picture('tall', 100, 2000)]);
  expect(wide!.share).toBeCloseTo(2.2 / 2.8);
  expect(wide!.share + tall!.share).toBe(1);
});
