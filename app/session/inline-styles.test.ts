import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { inlineStyles } from './inline-styles.ts';

const sheets: Record<string, string> = { '/assets/a.css': 'a{}', '/assets/b.css': 'b{}' };
const textOf = (address: string) => sheets[address] ?? null;
const link = (name: string) => `<link rel="stylesheet" href="/assets/${name}.css"/>`;

it('puts the sheets of a page into it, in their order, named in its policy', () => {
  const shared = link('b').replace('.css', '.css#');
  const page = `<html><head><title>x</title>${link('a')}<link rel="icon" href="/i"/>${shared}</head><body>${link('a')}</body></html>`;
  const { html, styles } = inlineStyles(page, textOf);
  expect(html).toBe(
    `<html><head><title>x</title><link rel="icon" href="/i"/><style>a{}b{}</style></head><body>${link('a')}</body></html>`,
  );
  expect(styles).toEqual([`'sha256-${createHash('sha256').update('a{}b{}').digest('base64')}'`]);
});

it('leaves a page as it is when one of its sheets is not known, or none is there', () => {
  for (const head of ['', link('a') + link('c')]) {
    const page = `<html><head>${head}</head></html>`;
    expect(inlineStyles(page, textOf)).toEqual({ html: page, styles: [] });
  }
});
