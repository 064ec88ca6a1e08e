import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { markedScripts } from './marked-scripts.ts';

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

it('C18: names the framework’s own inline scripts, and none that came with the page', () => {
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
