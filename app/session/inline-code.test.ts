import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { inlineStyles, markedScripts } from './inline-code.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const sheets: Record<string, string> = { '/assets/a.css': 'a{}', '/assets/b.css': 'b{}' };
const textOf = (address: string) => sheets[address] ?? null;
const link = (name: string) => `<link rel="stylesheet" href="/assets/${name}.css"/>`;

it('inlines the style sheets of a page in order, and adds their hashes to the policy', () => {
  const shared = link('b').replace('.css', '.css#');
  const page = `<html><head><title>x</title>${link('a')}<link rel="icon" href="/i"/>${shared}</head><body>${link('a')}</body></html>`;
  const { html, styles } = inlineStyles(page, textOf);
  expect(html).toBe(
    `<html><head><title>x</title><link rel="icon" href="/i"/><style>a{}b{}</style></head><body>${link('a')}</body></html>`,
  );
  expect(styles).toEqual([hashOf('a{}b{}')]);
});

it('returns a page unchanged when a style sheet is unknown or there is none', () => {
  for (const head of ['', link('a') + link('c')]) {
    const page = `<html><head>${head}</head></html>`;
    expect(inlineStyles(page, textOf)).toEqual({ html: page, styles: [] });
  }
});

it('finds the framework’s inline scripts, and none of the page content (C18)', () => {
  const own = 'window.__reactRouterContext = {};';
  const foreign = ['alert(1)', 'alert(2)', 'alert(3)'];
  const marked = `<html><head><link rel="stylesheet" href="/a.css" nonce="m4rk"/></head><body>
    <main><script>${foreign[0]}</script><script nonce="guess">${foreign[1]}</script>
    <script type="module" nonce="m4rk" src="/entry.js"></script><p>nonce="guess"</p></main>
    <script nonce="m4rk">${own}</script><script>${foreign[2]}</script><script nonce="m4rk" type="module">${own}</script></body></html>`;
  const { html, scripts } = markedScripts(marked, 'm4rk');
  expect(scripts).toEqual([hashOf(own)]);
  expect(html).not.toContain('m4rk');
  expect(html).toContain('<script nonce="guess">alert(2)</script>');
  expect(html).toContain(`<script>${own}</script>`);
});
