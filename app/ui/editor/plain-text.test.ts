import { expect, it } from 'vitest';
import { cleanRichText } from '../../../rich-text.ts';
import { paragraphsOf } from './plain-text.ts';

it('makes paragraphs of lines and takes markup for text', () => {
  expect(paragraphsOf('One <b>\n\n  \r\nTwo & "three"')).toBe('<p>One &lt;b&gt;</p><p>Two &amp; &quot;three&quot;</p>');
});

it('says what the server keeps', () => {
  expect(cleanRichText(paragraphsOf('a < b > c'))).toBe('<p>a &lt; b &gt; c</p>');
});
