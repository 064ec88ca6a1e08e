import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { storyFit } from '../../../app/features/portfolio/detail/story-html.ts';
import { cleanRichText } from '../../../rich-text.ts';
import { mayComplain } from '../../browser.ts';
import { draft, publish } from '../experiments.ts';
import { admin, member, openPage, startSeeded } from '../seeded.ts';
import { keepSession } from '../signing-in.ts';

startSeeded();

/** As stored by a backend that does not sanitize. */
const TRAPS = [
  '<script>alert(1)</script>',
  '<img src="x" onerror="alert(1)"><img src="javascript:alert(1)">',
  '<p onclick="alert(1)" style="position:fixed" id="main" name="q" data-player="x">p</p>',
  '<a href="javascript:alert(1)">a</a><a href=" data:text/html,x">b</a><a href="//evil.example/">b</a>',
  '<a href="java\tscript:alert(1)" target="_blank" class="button">t</a>',
  '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)" href="javascript:alert(1)">c</a><style>*{}</style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<iframe src="https://evil.example/"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example/"><input name="q"><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<template><img src=x onerror=alert(1)></template><object data="javascript:alert(1)"></object>',
].join('');

/** Each kind of rich text. */
const WRITTEN = [
  '<h1>One</h1><h2 class="indent-2">Two</h2><h3>Three</h3>',
  '<p>A <b>bold</b>, <em>slanted</em>, <u>lined</u>, <strike>struck</strike> <code>word</code>,<br>next &amp; <span>last</span>.</p>',
  '<ol><li><p>a</p><ul><li><p class="ql-indent-3">b</p></li></ul></li></ol>',
  '<blockquote><p>said</p></blockquote><pre><code>x &lt; y\n  z</code></pre>',
  '<p><a href="https://madhouse.example/a?b=1&amp;c=2" title="t">link</a> <a href="mailto:a@b.example">mail</a> <a href="/about">here</a></p>',
  '<p><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="a &quot;b&quot;"></p>',
  '<p>Film:</p><iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ" title="A film"></iframe>',
].join('');

/** Replaces each text of a project in the page's data by what `html` returns. */
const answerWith = (page: Page, html: () => string) =>
  page.route(/\/rest\/v1\/projects\?/, async (route) => {
    const response = await route.fetch();
    const body: unknown = await response.json();
    const rows = Array.isArray(body) ? body : [body];
    for (const row of rows) Object.assign(row, { description: html(), case_study_metadata: null });
    await route.fulfill({ response, json: body });
  });

function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => /evil\.example/.test(request.url()) && seen.push(request.url()));
  return seen;
}

/** Describes everything unsafe in the shown HTML. */
const wrongIn = (page: Page) =>
  page.locator('.prose *').evaluateAll((elements) =>
    elements.flatMap(({ tagName, attributes, className }) => {
      const isKept = /^(P|BR|H[1-6]|STRONG|EM|U|S|OL|UL|LI|BLOCKQUOTE|PRE|CODE|A|IMG|SPAN)$/.test(tagName);
      const wrong = [...attributes].filter(
        ({ name, value }) => !/^(href|src|alt|title|class|rel)$/.test(name) || /script:|data:text|evil/.test(value),
      );
      return [
        ...(isKept ? [] : [tagName]),
        ...wrong.map(({ name, value }) => `${name}=${value}`),
        ...(className && !/^(ql-)?indent-[1-8]$/.test(className) ? [className] : []),
      ];
    }),
  );

/** Whether the shown HTML equals this HTML. */
const isShownAs = (prose: Locator, html: string) =>
  prose.evaluate((shown, expected) => {
    const template = document.createElement('template');
    template.innerHTML = `<div class="prose">${expected}</div>`;
    const made = document.importNode(template.content, true).firstElementChild!;
    // The page's policy is enough for those of the server.
    for (const player of shown.querySelectorAll('iframe[referrerpolicy="strict-origin"]'))
      player.removeAttribute('referrerpolicy');
    for (const one of [shown.cloneNode(true) as Element, made]) one.normalize();
    return made.isEqualNode(shown) || `${shown.innerHTML}\n\n${made.innerHTML}`;
  }, html);

it.each([
  ['the admin screen of a project', admin, cleanRichText(WRITTEN)],
  ['a draft opened by the session', member, storyFit.html(cleanRichText(WRITTEN))],
])(
  'untrusted HTML runs nothing on %s, and otherwise looks as the server renders it (TM-30)',
  async (_, account, shown) => {
    const isAdmin = account === admin;
    const id = isAdmin ? await publish({ title: 'Traps for admins' }) : await draft('Traps', { account });
    const path = isAdmin ? `/admin/projects/${id}` : `/case-studies/${id}`;
    const page = mayComplain(await openPage());
    const seen = watch(page);
    let html = `<p>Kept</p>${TRAPS}`;
    await answerWith(page, () => html);
    await keepSession(page, account);
    await page.goto(path);
    await page.locator('.prose').getByText('Kept').waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.waitForLoadState('networkidle');
    expect(seen).toEqual([]);

    html = WRITTEN;
    await page.goto(path);
    await page.locator('.prose').getByText('slanted').waitFor();
    expect(await isShownAs(page.locator('.prose').first(), shown)).toBe(true);
  },
);
