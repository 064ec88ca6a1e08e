import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const fonts = {
  display: { family: 'Anybody Thin', files: ['anybody-latin.ttf', 'anybody-latin-ext.ttf'] },
  machine: { family: 'Martian Mono SemiExpanded', files: ['martian-mono-latin.ttf'] },
} as const;

const PACKED: Record<string, string> = {
  'anybody-latin.ttf': '@fontsource-variable/anybody/files/anybody-latin-wdth-normal.woff2',
  'anybody-latin-ext.ttf': '@fontsource-variable/anybody/files/anybody-latin-ext-wdth-normal.woff2',
  'martian-mono-latin.ttf': '@fontsource-variable/martian-mono/files/martian-mono-latin-wght-normal.woff2',
};

/** The renderer cannot read WOFF2. Part of the build; axes stay variable. */
export async function writeFonts(folder: string): Promise<void> {
  // Build-time only: never loaded by a production start.
  const { default: subsetFont } = await import('subset-font');
  const { resolve } = createRequire(import.meta.url);
  await mkdir(folder, { recursive: true });
  const options = { targetFormat: 'truetype', keepAllGlyphs: true } as const;
  for (const [name, source] of Object.entries(PACKED)) {
    const face = await subsetFont(await readFile(resolve(source)), '', options);
    await writeFile(join(folder, name), face);
  }
}

export async function fontsIn(folder: string): Promise<string> {
  if (!Object.keys(PACKED).every((name) => existsSync(join(folder, name)))) await writeFonts(folder);
  return folder;
}
