import type { SetText, TextRenderer, TextStyle } from './text.ts';

export type Box = { width: number; height: number };

const WIDTHS = [130, 100, 80, 62, 50];
const MAX_SIZE = 190;
const MIN_SIZE = 30;
const READABLE_SIZE = 56;
const LEADING = 0.9;
/** Scripts of fallback fonts are taller. */
const OTHER_LEADING = 1;
const TALL = /[^\p{ASCII}\u0080-\u024f\u2000-\u206f\u20a0-\u20bf]/u;

export async function fitTitle(renderer: TextRenderer, title: string, box: Box, colour: string) {
  for (let words = title; words; words = shortened(words)) {
    const leading = TALL.test(words) ? OTHER_LEADING : LEADING;
    const tries: { size: number; weight: number; text: SetText }[] = [];
    const addLargest = async (wdth: number, maxSize: number, breakWords = false) => {
      let largest: (typeof tries)[number] | null = null;
      let [low, high] = [MIN_SIZE, maxSize];
      while (low <= high) {
        const size = Math.floor((low + high) / 2);
        const style: TextStyle = { face: 'display', size, wdth, wght: 900, colour, leading };
        const text = await renderer.set([[words, style]], box.width, breakWords);
        if (text && text.width <= box.width && text.height <= box.height) {
          // Size counts for more than width: a large narrow title is readable from further away.
          largest = { size, weight: size * Math.sqrt(wdth), text };
          low = size + 1;
        } else high = size - 1;
      }
      if (largest) tries.push(largest);
    };
    for (const wdth of WIDTHS) await addLargest(wdth, MAX_SIZE);
    if (tries.every(({ size }) => size < READABLE_SIZE))
      for (const wdth of [100, 50]) await addLargest(wdth, READABLE_SIZE, true);
    const best = tries.toSorted((one, other) => other.weight - one.weight)[0];
    if (best) return best.text;
  }
  return null;
}

const MIN_FILL = 0.85;

/** Sets one line to fill a width, unless it gets too high. @param widths tried in order until the line is full */
export async function fillLine(renderer: TextRenderer, text: string, base: TextStyle, widths: number[], box: Box) {
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

function shortened(words: string): string {
  const letters = [...words.replace(/…$/, '')];
  const shorter = letters.slice(0, Math.floor(letters.length * 0.8));
  const text = shorter.join('').trimEnd();
  return text && `${text}…`;
}
