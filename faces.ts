import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

/** Characters that nearly every page needs; others are in separate files that few pages load. */
const BASIC = `${range(0x20, 0x7e)}\u00a0·–—‘’“”…`;
const FOLDER = join(import.meta.dirname, '.cache', 'faces');

interface Face {
  source: string;
  letters: string;
  axes: Record<string, number | { min: number; max: number }>;
}

const faces: Record<string, Face> = {
  anybody: {
    source: '@fontsource-variable/anybody/files/anybody-latin-wdth-normal.woff2',
    letters: BASIC,
    axes: { wght: { min: 600, max: 900 } },
  },
  atkinson: {
    source: '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    letters: BASIC,
    axes: { wght: { min: 400, max: 700 } },
  },
  martian: {
    source: '@fontsource-variable/martian-mono/files/martian-mono-latin-wght-normal.woff2',
    letters: BASIC,
    axes: { wght: { min: 400, max: 600 } },
  },
  'anybody-rupee': {
    source: '@fontsource-variable/anybody/files/anybody-latin-ext-wdth-normal.woff2',
    letters: '₹',
    axes: { wght: { min: 600, max: 900 } },
  },
  'atkinson-rupee': {
    source:
      '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2',
    letters: '₹',
    axes: { wght: { min: 400, max: 700 } },
  },
  shantell: {
    source: '@fontsource-variable/shantell-sans/files/shantell-sans-latin-wght-normal.woff2',
    letters: BASIC,
    axes: { wght: 400 },
  },
};

/** Licence texts of the fonts, which must be distributed with them. */
export async function faceLicences(): Promise<string> {
  const packages = [...new Set(Object.values(faces).map(({ source }) => source.split('/files/')[0]!))].sort();
  const { resolve } = createRequire(import.meta.url);
  const texts = await Promise.all(
    packages.map((name) => readFile(join(dirname(resolve(`${name}/package.json`)), 'LICENSE'), 'utf8')),
  );
  return packages.map((name, at) => `${name}\n\n${texts[at]!.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

/** Cached in `.cache/faces`. @returns aliases for Vite: `@faces/NAME.woff2` is the subset file */
export async function cutFaces(): Promise<{ find: RegExp; replacement: string }[]> {
  await mkdir(FOLDER, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  return Promise.all(
    Object.entries(faces).map(async ([name, { source, letters, axes }]) => {
      const whole = await readFile(resolve(source));
      const version = createHash('sha256')
        .update(whole)
        .update(JSON.stringify([letters, axes]))
        .digest('hex')
        .slice(0, 12);
      const file = join(FOLDER, `${name}-${version}.woff2`);
      if (!existsSync(file)) {
        const cut = await subsetFont(whole, letters, { targetFormat: 'woff2', variationAxes: axes });
        // A concurrent build must not read a partial file.
        await writeFile(`${file}.${process.pid}`, cut);
        await rename(`${file}.${process.pid}`, file);
      }
      return { find: new RegExp(`^@faces/${name}\\.woff2(?=\\?|$)`), replacement: file };
    }),
  );
}

function range(from: number, to: number): string {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
}
