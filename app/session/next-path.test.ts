import { expect, it } from 'vitest';
import { nextPath } from './next-path.ts';

const ORIGIN = 'https://madhouse.example';
const next = (text: string | null) => nextPath(text, ORIGIN, '/home');

it('accepts paths of our own origin with query and hash', () => {
  expect(next('/admin?tab=1#top')).toBe('/admin?tab=1#top');
  expect(next(`${ORIGIN}/admin`)).toBe('/admin');
});

it('returns the home page for addresses of other origins', () => {
  for (const text of [
    null,
    '',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'https://madhouse.example.evil.example/',
    'https://user:pass@madhouse.example/',
    'http://madhouse.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    `${ORIGIN}//evil.example`,
  ]) {
    expect(next(text), String(text)).toBe('/home');
  }
});
