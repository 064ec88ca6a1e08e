import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Project } from '#features/projects/model/read.ts';
import { Story } from './story.tsx';

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
