import { expect, it } from 'vitest';
import { cleanRichText } from '../../../rich-text.ts';
import { paragraphsOf } from './plain-text.ts';

it('converts lines to paragraphs and escapes markup', () => {
  expect(paragraphsOf('One <b>\n\n  \r\nTwo & "three"')).toBe('<p>One &lt;b&gt;</p><p>Two &amp; &quot;three&quot;</p>');
});

it('returns what the server’s sanitizer keeps', () => {
  expect(cleanRichText(paragraphsOf('a < b > c'))).toBe('<p>a &lt; b &gt; c</p>');
});
