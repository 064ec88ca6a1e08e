import { globSync } from 'node:fs';
import sharp from 'sharp';
import { expect, it } from 'vitest';

/** Of 64 bits; copies, crops and recolourings of one composition differ in fewer. */
const LEAST_DISTANCE = 12;

/** Difference hash: for 8 rows of 9 grey pixels whether each is darker than the next. */
async function hashOf(file: string): Promise<boolean[]> {
  const pixels = await sharp(file).greyscale().resize(9, 8, { fit: 'fill' }).raw().toBuffer();
  return Array.from({ length: 64 }, (_, at) => {
    const left = Math.floor(at / 8) * 9 + (at % 8);
    return pixels[left]! < pixels[left + 1]!;
  });
}

/** Portraits have one crop on purpose. */
const PORTRAITS = '/19/';

it('all pictures of the demo differ visibly', async () => {
  const files = globSync('supabase/seed-pictures/[0-9]*/*.webp').filter((file) => !file.includes(PORTRAITS));
  expect(files.length).toBeGreaterThan(50);
  const hashes = await Promise.all(files.map(hashOf));
  const alike = hashes.flatMap((hash, one) =>
    hashes
      .slice(one + 1)
      .map((other, after) => ({
        pair: `${files[one]} ${files[one + 1 + after]}`,
        distance: hash.filter((bit, at) => bit !== other[at]).length,
      }))
      .filter(({ distance }) => distance < LEAST_DISTANCE),
  );
  expect(alike).toEqual([]);
});
