import { escapeHtml } from '#lib/data/html-to-text.ts';

export const paragraphsOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('');
