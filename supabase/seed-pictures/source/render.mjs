// Renders the drawings of the demo: source/<number>/<place>.svg -> <number>/<place>.webp, at most 1280 pixels on the long side.
// Usage: node supabase/seed-pictures/source/render.mjs [number ...]
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const SOURCE = import.meta.dirname;
const LONG_SIDE = 1280;

const requested = process.argv.slice(2);
const folders = await readdir(SOURCE, { withFileTypes: true });
const numbers = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
for (const number of requested.length ? requested : numbers) {
  await mkdir(join(SOURCE, '..', number), { recursive: true });
  for (const file of await readdir(join(SOURCE, number))) {
    if (!file.endsWith('.svg')) continue;
    await sharp(join(SOURCE, number, file))
      .resize(LONG_SIDE, LONG_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .webp({ quality: 80, effort: 6, smartSubsample: true })
      .toFile(join(SOURCE, '..', number, file.replace('.svg', '.webp')));
  }
}
