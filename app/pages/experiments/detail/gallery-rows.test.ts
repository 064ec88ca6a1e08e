import { expect, it } from 'vitest';
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
const layout = (titles: string[]) =>
  galleryRows(titles.map((title) => picture(title))).map(({ media, abreast }) => [
    media.map(({ title }) => title).join('+'),
    abreast,
  ]);

it('lays two in a row, and three in the last when their number is odd', () => {
  expect(layout(['a', 'b', 'c', 'd', 'e'])).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 3],
    ['d', 3],
    ['e', 3],
  ]);
  expect(layout(['a', 'b'])).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
});

it('lays Before and After that follow each other side by side, and nothing else', () => {
  expect(layout(['a', 'Before: the wall', 'after', 'Before noon', 'c', 'After', 'Afterwards'])).toEqual([
    ['a', 1],
    ['Before: the wall+after', 1],
    ['Before noon', 2],
    ['c', 2],
    ['After', 2],
    ['Afterwards', 2],
  ]);
});

it('gives the wide ones more of their row, and the narrow ones enough', () => {
  const [wide, tall] = galleryRows([picture('wide', 3000, 500), picture('tall', 100, 2000)]);
  expect(wide!.share).toBeCloseTo(2.2 / 2.8);
  expect(wide!.share + tall!.share).toBe(1);
});
