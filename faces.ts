import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

/** Characters that nearly every page needs; others are in separate files that few pages load. */
const BASIC = `${range(0x20, 0x7e)}\u00a0·–—‘’“”…`;
const FOLDER = join(import.meta.dirname, '.cache', 'faces');

interface Family {
  file: (letters: 'latin' | 'latin-ext') => string;
  weight: { min: number; max: number };
  stretch?: string;
  /** Unicode range of extended Latin in its file. */
  rest: string;
  /** Whether extended Latin and the rupee sign have a second file. */
  extended?: true;
}

const LATIN =
  'U+0000-001F, U+007F-009F, U+00A1-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-2012, U+2015-2017, U+201A-201B, U+201E-2025, U+2027-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';
const EXTENDED =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+20A0-20AB, U+20AD-20C0';
const BASIC_RANGE = 'U+0020-007E, U+00A0, U+00B7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026';
const ATKINSON = '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next';

const families: Record<string, Family> = {
  Anybody: {
    file: (letters) => `@fontsource-variable/anybody/files/anybody-${letters}-wdth-normal.woff2`,
    weight: { min: 600, max: 900 },
    stretch: '50% 150%',
    rest: LATIN,
    extended: true,
  },
  Atkinson: {
    file: (letters) => `${ATKINSON}-${letters}-wght-normal.woff2`,
    weight: { min: 400, max: 700 },
    rest: LATIN,
    extended: true,
  },
  'Martian Mono': {
    file: (letters) => `@fontsource-variable/martian-mono/files/martian-mono-${letters}-wght-normal.woff2`,
    weight: { min: 400, max: 600 },
    rest: 'U+00A1-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+20AC, U+2122, U+2212, U+2215',
  },
  Shantell: {
    file: (letters) => `@fontsource-variable/shantell-sans/files/shantell-sans-${letters}-wght-normal.woff2`,
    weight: { min: 400, max: 400 },
    rest: 'U+00A1-00B6, U+00B8-00FF',
  },
};

const nameOf = (family: string) => family.split(' ')[0]!.toLowerCase();

const faceRule = (family: string, descriptors: string, file: string, characters?: string) =>
  `@font-face { font-family: "${family}"; font-display: swap; ${descriptors}; src: url("${file}") format("woff2");${characters ? ` unicode-range: ${characters};` : ''} }\n`;

/** The `@font-face` rules. The italic has one file: few pages use it. */
const styles = () =>
  Object.entries(families)
    .flatMap(
      ([
        family,
        {
          file,
          weight: { min, max },
          stretch,
          rest,
          extended,
        },
      ]) => {
        const weights = `font-weight: ${min === max ? min : `${min} ${max}`}`;
        const rule = faceRule.bind(null, family, stretch ? `font-stretch: ${stretch}; ${weights}` : weights);
        return [
          rule(`@faces/${nameOf(family)}.woff2`, BASIC_RANGE),
          rule(file('latin'), rest),
          ...(extended
            ? [rule(file('latin-ext'), EXTENDED), rule(`@faces/${nameOf(family)}-rupee.woff2`, 'U+20B9')]
            : []),
        ];
      },
    )
    .join('') + faceRule('Atkinson', 'font-style: italic; font-weight: 400 700', `${ATKINSON}-latin-wght-italic.woff2`);

/** Licence texts of the fonts, which must be distributed with them. */
export async function faceLicences(): Promise<string> {
  const packages = [...new Set(Object.values(families).map(({ file }) => file('latin').split('/files/')[0]!))].sort();
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
  const cuts = Object.entries(families).flatMap(([family, { file, weight, extended }]) => {
    const axes = { wght: weight.min === weight.max ? weight.min : weight };
    const name = nameOf(family);
    const basic = { name, source: file('latin'), letters: BASIC, axes };
    return extended ? [basic, { name: `${name}-rupee`, source: file('latin-ext'), letters: '₹', axes }] : [basic];
  });
  const files = await Promise.all(
    cuts.map(async ({ name, source, letters, axes }) => {
      const font = await readFile(resolve(source));
      const version = createHash('sha256')
        .update(font)
        .update(JSON.stringify([letters, axes]))
        .digest('hex')
        .slice(0, 12);
      const file = join(FOLDER, `${name}-${version}.woff2`);
      if (!existsSync(file)) {
        const cut = await subsetFont(font, letters, { targetFormat: 'woff2', variationAxes: axes });
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
