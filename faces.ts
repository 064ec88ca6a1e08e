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

const LATIN =
  'U+0000-001F, U+007F-009F, U+00A1-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-2012, U+2015-2017, U+201A-201B, U+201E-2025, U+2027-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';
const EXTENDED =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+20A0-20AB, U+20AD-20C0';
const BASIC_RANGE = 'U+0020-007E, U+00A0, U+00B7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026';

/** Files of each family by the characters they are for: the letters of nearly every page, the rest of Latin, extended Latin. */
const families: Record<string, { descriptors: string; files: Record<string, string> }> = {
  Anybody: {
    descriptors: 'font-stretch: 50% 150%; font-weight: 600 900',
    files: {
      [BASIC_RANGE]: '@faces/anybody.woff2',
      [LATIN]: '@fontsource-variable/anybody/files/anybody-latin-wdth-normal.woff2',
      [EXTENDED]: '@fontsource-variable/anybody/files/anybody-latin-ext-wdth-normal.woff2',
      'U+20B9': '@faces/anybody-rupee.woff2',
    },
  },
  Atkinson: {
    descriptors: 'font-weight: 400 700',
    files: {
      [BASIC_RANGE]: '@faces/atkinson.woff2',
      [LATIN]:
        '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
      [EXTENDED]:
        '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2',
      'U+20B9': '@faces/atkinson-rupee.woff2',
    },
  },
  'Martian Mono': {
    descriptors: 'font-weight: 400 600',
    files: {
      [BASIC_RANGE]: '@faces/martian.woff2',
      'U+00A1-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+20AC, U+2122, U+2212, U+2215':
        '@fontsource-variable/martian-mono/files/martian-mono-latin-wght-normal.woff2',
    },
  },
  Shantell: {
    descriptors: 'font-weight: 400',
    files: {
      [BASIC_RANGE]: '@faces/shantell.woff2',
      'U+00A1-00B6, U+00B8-00FF': '@fontsource-variable/shantell-sans/files/shantell-sans-latin-wght-normal.woff2',
    },
  },
};

const faceRule = (family: string, descriptors: string, file: string, characters?: string) =>
  `@font-face { font-family: "${family}"; font-display: swap; ${descriptors}; src: url("${file}") format("woff2");${characters ? ` unicode-range: ${characters};` : ''} }\n`;

/** The `@font-face` rules. The italic has one file: few pages use it. */
const styles = () =>
  Object.entries(families)
    .flatMap(([family, { descriptors, files }]) =>
      Object.entries(files).map(([characters, file]) => faceRule(family, descriptors, file, characters)),
    )
    .join('') +
  faceRule(
    'Atkinson',
    'font-style: italic; font-weight: 400 700',
    '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-italic.woff2',
  );

/** Licence texts of the fonts, which must be distributed with them. */
export async function faceLicences(): Promise<string> {
  const packages = [...new Set(Object.values(faces).map(({ source }) => source.split('/files/')[0]!))].sort();
  const { resolve } = createRequire(import.meta.url);
  const texts = await Promise.all(
    packages.map((name) => readFile(join(dirname(resolve(`${name}/package.json`)), 'LICENSE'), 'utf8')),
  );
  return packages.map((name, at) => `${name}\n\n${texts[at]!.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

/** Cached in `.cache/faces`. @returns aliases for Vite: `@faces/NAME.woff2` is the subset file, `@faces/faces.css` the rules */
export async function cutFaces(): Promise<{ find: RegExp; replacement: string }[]> {
  await mkdir(FOLDER, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  const sheet = join(FOLDER, 'faces.css');
  await writeFile(`${sheet}.${process.pid}`, styles());
  await rename(`${sheet}.${process.pid}`, sheet);
  const files = await Promise.all(
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
  return [{ find: /^@faces\/faces\.css$/, replacement: sheet }, ...files];
}

function range(from: number, to: number): string {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
}
