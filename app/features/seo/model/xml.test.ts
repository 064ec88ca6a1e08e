import { expect, it } from 'vitest';
import { xmlText } from './xml.ts';

it('escapes XML markup in text', () => {
  expect(xmlText(`<a href="x">R&D's</a>`)).toBe('&#60;a href=&#34;x&#34;&#62;R&#38;D&#39;s&#60;/a&#62;');
});

it('drops characters that XML forbids, and replaces lone surrogates', () => {
  expect(xmlText('a\u0000b\u000bc\uffffd\ud800e\tf\n')).toBe('abcd\ufffde\tf\n');
});
