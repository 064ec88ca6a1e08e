import { describe, expect, it } from 'vitest';
import { cleanRichText } from '../../../rich-text.ts';
import { plainText } from './html-to-text.ts';

describe('HTML to plain text', () => {
  it('removes markup and decodes entities (META-05)', () => {
    const html = '<h2>Salt &amp; Pepper</h2><p>5 &lt; 6&nbsp;&#8211; <strong>b</strong>old<br>next</p>';
    expect(plainText(html)).toBe('Salt & Pepper 5 < 6 – bold next');
    expect(plainText('a &amp;lt; b')).toBe('a &lt; b');
    expect(plainText('<p>one</p><p>two</p><ul><li>three</li></ul>')).toBe('one two three');
  });

  it('removes scripts, comments, and tags with quoted brackets', () => {
    expect(plainText('a<script>if (1 < 2) alert("x")</script>b<!-- > c -->d<img alt="1 > 2">e')).toBe('abde');
    expect(plainText("<p title='a > b'>text</p><style>p { color: red }</style>")).toBe('text');
  });

  it('keeps a bracket that opens no tag, and drops an unclosed tag', () => {
    expect(plainText('1 < 2 and <3 & more')).toBe('1 < 2 and <3 & more');
    expect(plainText('before <a href="never')).toBe('before');
    expect(plainText('before <!-- never')).toBe('before');
  });

  it('reads every output of the sanitizer', () => {
    const typed = '<p>caf&eacute; &copy; “quotes” &#x1F600; <em>a</em>&thinsp;b</p>';
    expect(plainText(cleanRichText(typed))).toBe('café © “quotes” 😀 a b');
  });

  it('takes linear time for hostile input', () => {
    for (const part of ['<', '<a "', '<!--', '&', '<style></style>']) {
      const hostile = part.repeat(100_000 / part.length);
      expect(plainText(hostile).length).toBeLessThanOrEqual(hostile.length);
    }
  });
});
