import { expect, it } from 'vitest';
import { cleanRichText } from '../../../../rich-text.ts';
import { storyFit } from './story-html.ts';

const fitted = (html: string) => storyFit.html(cleanRichText(html));

it.each([
  ['<h1>a</h1><h2>b</h2><h3>c</h3>', '<h3>a</h3><h4>b</h4><h5>c</h5>'],
  ['<h2>a</h2><p>x</p><h2>b</h2>', '<h3>a</h3><p>x</p><h3>b</h3>'],
  ['<h3>a</h3><h1>b</h1><h3>c</h3>', '<h3>a</h3><h3>b</h3><h4>c</h4>'],
  ['<h1 class="ql-indent-1">a</h1><h3>c</h3>', '<h3 class="ql-indent-1">a</h3><h4>c</h4>'],
])('continues the heading levels of the page: %s', (html, expected) => {
  expect(fitted(html)).toBe(expected);
});

it('shows a link in place of a video, so that its host receives no request', () => {
  const html = fitted('<p>x</p><iframe src="https://youtu.be/dQw4w9WgXcQ" title="A &quot;b&quot; <c>"></iframe>');
  expect(html).not.toContain('<iframe');
  expect(html).toContain('data-player="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"');
  expect(html).toContain('<span>Play “A &quot;b&quot; &lt;c&gt;”</span>');
});

it('loads pictures lazily', () => {
  expect(fitted('<p><img src="https://pictures.example/a.png" alt="a"></p>')).toContain('<img loading="lazy" src=');
});
