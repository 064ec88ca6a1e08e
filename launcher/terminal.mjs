import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const REDRAW_MS = 200;
const LOG_EVERY_MS = 10_000;

/** One line redrawn on a terminal, an occasional line in a log. @param detail called for each line @returns ends it */
export function showProgress(label, detail) {
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const { isTTY } = process.stdout;
  const line = () => [label, detail(), seconds()].filter(Boolean).join(' · ');
  const draw = () => process.stdout.write(isTTY ? `\r\x1b[K${line()}` : `${line()}\n`);
  if (isTTY) draw();
  else console.log(`${label} …`);
  const timer = setInterval(draw, isTTY ? REDRAW_MS : LOG_EVERY_MS);
  return (text) => {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r\x1b[K');
    if (text) console.log(`${text} (${seconds()})`);
  };
}

export function fail(text) {
  console.error(text);
  process.exit(1);
}
