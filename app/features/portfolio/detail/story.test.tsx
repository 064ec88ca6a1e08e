import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Project } from '#features/projects/model/read.ts';
import { cleanRichText } from '../../../../rich-text.ts';
import { Story } from './story.tsx';
import { storyFit } from './story-html.ts';

/** As a backend could hold it whose database does not refuse such a thing. */
const TRAPS = [
  '<script>alert(1)</script>',
  '<img src="x" onerror="alert(1)">',
  '<p onclick="alert(1)" style="position:fixed">p</p>',
  '<a href="javascript:alert(1)">a</a><a href=" data:text/html,x">b</a>',
  '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)">c</a></svg>',
  '<iframe src="https://evil.example/"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example/"><input name="q"></form><base href="https://evil.example/">',
];

it('renders formatting and removes active content in each of the four parts (DETAIL-15)', () => {
  const text = `<p><strong>Kept</strong></p>${TRAPS.join('')}`;
  const experiment = { brief: text, understanding: text, actions: text, impact: text } as Project;
  const html = renderToStaticMarkup(<Story experiment={experiment} />);
  expect(html.match(/<p><strong>Kept<\/strong><\/p>/g)).toHaveLength(4);
  expect(html).not.toMatch(/<(script|svg|iframe|form|input|base)\b/i);
  expect(html).not.toMatch(/\s(on\w+|style|srcdoc)=/i);
  expect(html).not.toMatch(/javascript:|data:|evil\.example/i);
});

const fitted = (html: string) => storyFit.html(cleanRichText(html));

it.each([
  ['<h1>a</h1><h2>b</h2><h3>c</h3>', '<h3>a</h3><h4>b</h4><h5>c</h5>'],
  ['<h2>a</h2><p>x</p><h2>b</h2>', '<h3>a</h3><p>x</p><h3>b</h3>'],
  ['<h3>a</h3><h1>b</h1><h3>c</h3>', '<h3>a</h3><h3>b</h3><h4>c</h4>'],
  ['<h1 class="ql-indent-1">a</h1><h3>c</h3>', '<h3 class="ql-indent-1">a</h3><h4>c</h4>'],
])('continues the heading levels of the page: %s', (html, expected) => expect(fitted(html)).toBe(expected));

it('shows a link in place of a video, so that its host receives no request', () => {
  const html = fitted('<p>x</p><iframe src="https://youtu.be/dQw4w9WgXcQ" title="A &quot;b&quot; <c>"></iframe>');
  expect(html).not.toContain('<iframe');
  expect(html).toContain('data-player="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"');
  expect(html).toContain('<span>Play “A &quot;b&quot; &lt;c&gt;”</span>');
});

it('loads pictures lazily', () => {
  expect(fitted('<p><img src="https://pictures.example/a.png" alt="a"></p>')).toContain('<img loading="lazy" src=');
  expect(fitted('<p>One<img src="/a.png" alt="a"></p>')).toContain('<p>One</p>');
});
