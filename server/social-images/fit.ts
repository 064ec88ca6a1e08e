import type { SetText, TextRenderer, TextStyle } from './text.ts';

interface Box {
  width: number;
  height: number;
}

const WIDTHS = [130, 100, 80, 62, 50];
const MAX_SIZE = 190;
const MIN_SIZE = 30;
const READABLE_SIZE = 56;
const LEADING = 0.9;
/** Scripts of fallback fonts are taller. */
const OTHER_LEADING = 1;
const TALL = /[^\p{ASCII}\u0080-\u024f\u2000-\u206f\u20a0-\u20bf]/u;

export async function fitTitle(
  renderer: TextRenderer,
  title: string,
  box: Box,
  colour: string,
): Promise<SetText | null> {
  for (let words = title; words; words = shortened(words)) {
    const tries: Try[] = [];
    for (const wdth of WIDTHS) tries.push(...(await largest(renderer, words, wdth, MAX_SIZE, box, colour, false)));
    if (tries.every(({ size }) => size < READABLE_SIZE))
      for (const wdth of [100, 50])
        tries.push(...(await largest(renderer, words, wdth, READABLE_SIZE, box, colour, true)));
    const best = tries.toSorted((one, other) => other.weight - one.weight)[0];
    if (best) return best.text;
  }
  return null;
}

const MIN_FILL = 0.85;

/** Sets one line to fill a width, unless it gets too high. @param widths tried in order until the line is full */
export async function fillLine(
  renderer: TextRenderer,
  text: string,
  base: TextStyle,
  widths: readonly number[],
  box: Box,
): Promise<SetText | null> {
  let best: SetText | null = null;
  for (const wdth of widths) {
    const measured = await renderer.set([[text, { ...base, wdth }]]);
    if (!measured) return null;
    const size = Math.floor(base.size * Math.min(box.width / measured.width, box.height / measured.height));
    best = await renderer.set([[text, { ...base, wdth, size }]]);
    if (best && best.width >= MIN_FILL * box.width) break;
  }
  return best;
}

interface Try {
  size: number;
  weight: number;
  text: SetText;
}

async function largest(
  renderer: TextRenderer,
  words: string,
  wdth: number,
  maxSize: number,
  box: Box,
  colour: string,
  breakWords: boolean,
): Promise<Try[]> {
  let found: Try[] = [];
  let [low, high] = [MIN_SIZE, maxSize];
  while (low <= high) {
    const size = Math.floor((low + high) / 2);
    const text = await renderer.set([[words, style(words, size, wdth, colour)]], box.width, breakWords);
    if (text && fits(text, box)) {
      // Size counts for more than width: a large narrow title is readable from further away.
      found = [{ size, weight: size * Math.sqrt(wdth), text }];
      low = size + 1;
    } else high = size - 1;
  }
  return found;
}

const style = (words: string, size: number, wdth: number, colour: string): TextStyle => ({
  face: 'display',
  size,
  wdth,
  wght: 900,
  colour,
  leading: TALL.test(words) ? OTHER_LEADING : LEADING,
});

const fits = (text: Box, box: Box) => text.width <= box.width && text.height <= box.height;

function shortened(words: string): string {
  const letters = [...words.replace(/…$/, '')];
  const shorter = letters
    .slice(0, Math.floor(letters.length * 0.8))
    .join('')
    .trimEnd();
  return shorter && `${shorter}…`;
}
