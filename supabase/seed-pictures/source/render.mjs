// Renders every SVG of this folder to ../<number>/<place>.webp. Usage: node render.mjs [number …]
// Needs `sharp`. A script beside an SVG prints it: node 12/1.mjs > 12/1.svg
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

const SOURCE = import.meta.dirname;
const LONG_SIDE = 1600;
const wanted = process.argv.slice(2);

const drawings = readdirSync(SOURCE, { recursive: true }).filter((file) => /^\d+[\\/]\d+\.svg$/.test(file));
for (const file of drawings.sort()) {
  if (wanted.length > 0 && !wanted.includes(dirname(file))) continue;
  const target = join(SOURCE, '..', file.replace(/svg$/, 'webp'));
  mkdirSync(dirname(target), { recursive: true });
  const { size } = await sharp(join(SOURCE, file))
    .resize(LONG_SIDE, LONG_SIDE, { fit: 'inside' })
    .flatten({ background: '#EDEFF0' })
    .webp({ quality: 80, effort: 6 })
    .toFile(target);
  console.info(file, size);
}
