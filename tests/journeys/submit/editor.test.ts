import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { cleanRichText } from '../../../rich-text.ts';
import { hold, mayComplain, PHONE } from '../../browser.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { editorOf, openForm, openNewForm, paste, saved, storedDrafts, TEXTS, write } from './form.ts';

startSeeded({ readOnly: true });

const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let shared: Page & { complaints: string[] };
beforeAll(async () => {
  shared = await openNewForm();
});
afterEach(async () => {
  await shared.unrouteAll();
  // Some tests show pictures of other sites, and one pastes an event handler, which the browser refuses.
  const isExpected = (text: string) => /pictures\.invalid|Executing inline event handler/.test(text);
  expect(shared.complaints.splice(0).filter((text) => !isExpected(text))).toEqual([]);
});

/** The empty editor of the Brief, with the cursor in it; on one page for all tests. */
async function openEditor(): Promise<Page> {
  for (const close of await shared.getByRole('button', { name: 'Close' }).all()) await close.click();
  const editor = await editorOf(shared, 'brief');
  await editor.click();
  await editor.evaluate((element) => {
    const { editor } = element as unknown as { editor: { commands: { clearContent(update: boolean): void } } };
    editor.commands.clearContent(true);
  });
  return shared;
}

/** The HTML of the Brief as the form would send it. */
async function html(page: Page): Promise<string> {
  await page.waitForTimeout(100);
  await saved(page);
  const drafts = await storedDrafts(page);
  expect(drafts).toHaveLength(1);
  return drafts[0]!.brief;
}

const tool = (page: Page, name: string) =>
  page.locator('.field:has(#submit-brief)').getByRole('button', { name, exact: true });

it('editor toolbar is above each text, with exactly these tools (RTE-01, SUBMIT-18, CONST-24)', async () => {
  const page = await openEditor();
  for (const text of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    await editorOf(page, text);
    const tools = page.locator(`.field:has(#submit-${text}) [role=toolbar] button`);
    const names = await tools.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    const styles = ['Heading 1', 'Heading 2', 'Heading 3', 'Bold', 'Italic', 'Underline', 'Strike'];
    expect(names).toEqual([...styles, 'Ordered list', 'Bullet list', 'Blockquote', 'Code block', 'Link', 'Clean']);
  }
});

it('editor toolbar produces markup that the server keeps, and Clean removes it (RTE-02, RTE-09)', async () => {
  const page = await openEditor();
  await page.keyboard.type('abc');
  for (const [name, expected] of [
    ['Heading 1', '<h1>abc</h1>'],
    ['Heading 2', '<h2>abc</h2>'],
    ['Heading 3', '<h3>abc</h3>'],
    ['Bold', '<p><strong>abc</strong></p>'],
    ['Italic', '<p><em>abc</em></p>'],
    ['Underline', '<p><u>abc</u></p>'],
    ['Strike', '<p><s>abc</s></p>'],
    ['Ordered list', '<ol><li><p>abc</p></li></ol>'],
    ['Bullet list', '<ul><li><p>abc</p></li></ul>'],
    ['Blockquote', '<blockquote><p>abc</p></blockquote>'],
    ['Code block', '<pre><code>abc</code></pre>'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+a');
    await tool(page, name).click();
    expect(await html(page)).toBe(expected);
    expect(cleanRichText(expected)).toBe(expected);
    expect(await tool(page, name).getAttribute('aria-pressed'), name).toBe('true');
    await page.keyboard.press('ControlOrMeta+a');
    await tool(page, 'Clean').click();
    expect(await html(page), name).toBe('<p>abc</p>');
  }
  await page.keyboard.press('ControlOrMeta+a');
  await tool(page, 'Bold').click();
  expect(await html(page)).toBe('<p><strong>abc</strong></p>');
  for (const key of ['End', 'Shift+ArrowLeft']) await page.keyboard.press(key);
  await tool(page, 'Clean').click();
  expect(await html(page)).toBe('<p><strong>ab</strong>c</p>');
});

it('editor toolbar is one tab stop, and Tab leaves the text, also from a list', async () => {
  const page = await openEditor();
  await page.keyboard.type('- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  expect(await html(page)).toBe('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
  await page.keyboard.press('Shift+Tab');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('Heading 1');
  await page.keyboard.press('ArrowLeft');
  expect(await focused()).toBe('Clean');
  for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
  expect(await focused()).toBe('Heading 2');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-brief');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('submit-brief');
  expect(await html(page)).toBe('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
});

it('editor toolbar keeps its tools reachable on a phone', async () => {
  const page = await openNewForm(PHONE);
  await write(page, 'brief', 'abc');
  const { width, height } = (await tool(page, 'Clean').boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  // All buttons are visible, also on the narrowest phone.
  for (const narrow of [390, 320]) {
    await page.setViewportSize({ width: narrow, height: 700 });
    const bar = page.locator('.field:has(#submit-brief) [role=toolbar]');
    expect(await bar.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect((await bar.boundingBox())!.height).toBeLessThan(110);
  }
  await page.setViewportSize(PHONE.viewport);
  await page.keyboard.press('ControlOrMeta+a');
  await tool(page, 'Bold').tap();
  // The browser turns the touch into a click a little later.
  await expect.poll(() => tool(page, 'Bold').getAttribute('aria-pressed')).toBe('true');
  expect(await html(page)).toBe('<p><strong>abc</strong></p>');
});

it('editor indentation has 8 levels, and survives saving and loading (RTE-03, CONST-25)', async () => {
  const page = await openEditor();
  await page.keyboard.type('deep');
  for (let level = 1; level <= 10; level++) {
    await page.keyboard.press('ControlOrMeta+]');
    expect(await page.locator(`#submit-brief .indent-${Math.min(level, 8)}`).count(), `${level}`).toBe(1);
  }
  expect(await html(page)).toBe('<p class="indent-8">deep</p>');
  await page.keyboard.press('ControlOrMeta+[');
  const outdented = '<p class="indent-7">deep</p>';
  expect(await html(page)).toBe(outdented);
  expect(cleanRichText(outdented)).toBe(outdented);
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  await (await editorOf(page, 'brief')).click();
  expect(await page.locator('#submit-brief .indent-7').count()).toBe(1);
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  expect(await html(page)).toBe('<p class="indent-7">deep!</p>');
});

async function linkTo(address: string) {
  const page = await openEditor();
  await page.keyboard.type('here');
  for (const key of ['ControlOrMeta+a', 'ControlOrMeta+k']) await page.keyboard.press(key);
  await page.getByLabel('Link address').fill(address);
  await page.getByLabel('Link address').press('Enter');
  return page;
}

it('editor link tool links to an address, and removes the link (RTE-07)', async () => {
  const page = await linkTo('maya@madhouse.example');
  const expected = '<p><a rel="noopener nofollow ugc" href="mailto:maya@madhouse.example">here</a></p>';
  expect(await html(page)).toBe(expected);
  expect(cleanRichText(expected)).toContain('href="mailto:maya@madhouse.example"');
  await tool(page, 'Link').click();
  await page.getByRole('button', { name: 'Remove link' }).click();
  expect(await html(page)).toBe('<p>here</p>');
});

it('editor link tool rejects links to other protocols, and removes those of pasted links (RTE-08)', async () => {
  const page = await linkTo('javascript:alert(1)');
  await page.getByRole('alert').filter({ hasText: 'A link starts with' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-brief');
  expect(await html(page)).toBe('<p>here</p>');
  await paste(await openEditor(), {
    html: '<p><a href="javascript:alert(1)">a</a> <a href="ftp://x.example">b</a> <a href="https://c.example">c</a></p>',
  });
  expect(await html(page)).toBe('<p>a b <a rel="noopener nofollow ugc" href="https://c.example">c</a></p>');
});

it('pictures in an editor text accept PNG, GIF, JPEG, BMP and ICO, and reject other files (RTE-04)', async () => {
  for (const type of ['image/png', 'image/gif', 'image/jpeg', 'image/bmp', 'image/x-icon']) {
    const page = await openEditor();
    await paste(page, { files: [{ name: 'small', type, base64: GIF }] });
    await page.locator('#submit-brief img[src]').waitFor();
    expect(await html(page)).toBe(`<p><img src="data:${type};base64,${GIF}" alt=""></p>`);
    expect(cleanRichText(await html(page))).toContain(`src="data:${type};base64,${GIF}"`);
  }
  const page = await openEditor();
  await paste(page, { files: [{ name: 'drawing.svg', type: 'image/svg+xml', bytes: 10 }] });
  await page.getByText('drawing.svg was left out').waitFor();
  expect(await page.locator('#submit-brief img[src]').count()).toBe(0);
});

it('pictures in an editor text are dropped in their order, and each that is too large is offered as a media item', async () => {
  const page = await openEditor();
  await page.locator('#submit-brief').evaluate((element, base64) => {
    const dataTransfer = new DataTransfer();
    const small = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    for (const type of ['image/gif', 'image/png']) dataTransfer.items.add(new File([small], 'small', { type }));
    for (const name of ['one.gif', 'two.gif'])
      dataTransfer.items.add(new File([new Uint8Array(65 * 1024)], name, { type: 'image/gif' }));
    const { left: clientX, top: clientY } = element.querySelector('p')!.getBoundingClientRect();
    const place = { clientX: clientX + 1, clientY: clientY + 1, bubbles: true, cancelable: true };
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, ...place }));
  }, GIF);
  await page.getByText('two.gif is 65 KB').waitFor();
  await page.locator('#submit-brief img[src]').nth(1).waitFor();
  const sources = ['image/gif', 'image/png'].map((type) => `<img src="data:${type};base64,${GIF}" alt="">`);
  expect(await html(page)).toBe(`<p>${sources.join('')}</p>`);
  await page.getByText('one.gif is 65 KB').waitFor();
  await page.getByRole('button', { name: 'Add it to the media instead' }).first().click();
  await page.getByText('one.gif was not added').waitFor();
  await page.getByRole('button', { name: 'Leave it out' }).click();
});

it('pictures in an editor text keep http, https and data addresses and clear others (RTE-05)', async () => {
  const page = await openEditor();
  await page.route(/pictures\.invalid/, (route) => route.abort());
  await paste(page, {
    html: `<p><img src="https://pictures.invalid/a.png"><img src="http://pictures.invalid/b.png"><img src="data:image/gif;base64,${GIF}"><img src="javascript:alert(1)"><img src="ftp://pictures.invalid/c.png"><img src="data:text/html,x"><img src="data:image/svg+xml,x"></p>`,
  });
  await page.getByText('1 picture was left out').waitFor();
  const sources = [...(await html(page)).matchAll(/<img src="([^"]*)"/g)].map(([, source]) => source);
  const kept = ['https://pictures.invalid/a.png', 'http://pictures.invalid/b.png', `data:image/gif;base64,${GIF}`];
  expect(sources).toEqual([...kept, '', '', '']);
});

it('videos in an editor text become players that are not loaded yet (RTE-06)', async () => {
  for (const [text, src] of [
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/123456789', 'https://player.vimeo.com/video/123456789'],
  ] as const) {
    const page = await openEditor();
    await paste(page, { text });
    await page.locator('.editor-video').waitFor();
    const written = await html(page);
    expect(written).toContain(`<iframe src="${src}" title="Video" loading="lazy" allowfullscreen=""></iframe>`);
    expect(cleanRichText(written)).toContain(`src="${src}"`);
  }
});

it('videos in an editor text other addresses stay links (RTE-06)', async () => {
  const page = await openEditor();
  await paste(page, { text: 'https://video.example/watch?v=dQw4w9WgXcQ' });
  await paste(page, { text: 'https://youtu.be/dQw4w9WgXcQ?si=a\nOur film' });
  await paste(page, { html: '<iframe src="https://evil.example/embed/1"></iframe><p>x</p>' });
  expect(await html(page)).not.toContain('iframe');
  expect(await page.locator('.editor-video').count()).toBe(0);
});

/** As copied from Word for Windows, shortened. */
const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=ProgId content=Word.Document><style>@list l0:level1 {mso-level-number-format:bullet;}</style></head>
<body lang=EN-GB><!--StartFragment-->
<p class=MsoNormal>What we need:<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>First <b>point</b><o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><!--[if !supportLists]--><span style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->Under it<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:108.0pt;text-indent:-18.0pt;mso-list:l0 level3 lfo1'><span style='mso-list:Ignore'>§</span>Deep</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Second point</p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span>Draw</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>2.<span>&nbsp;&nbsp; </span></span>Print</p>
<h2 style='mso-list:l2 level1 lfo3'><span style='mso-list:Ignore'>I.<span>&nbsp;</span></span>A heading</h2>
<table class=MsoTableGrid border=1><tr><td width=301><p class=MsoNormal>Cell A<o:p></o:p></p></td><td width=301>Cell <i>B</i></td></tr><tr><td><table><tr><td>Inner</td></tr></table></td><td>&nbsp;</td></tr></table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="_x0000_i1025"/><![endif]--><![if !vml]><img width=624 height=351 src="file:///C:/Users/asha/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg" v:shapes="_x0000_i1025"><![endif]>After the picture<img src="cid:image001.png@01DB"></p>
<!--EndFragment--></body></html>`;

it('text pasted from Word keeps nested lists and separate table cells, and lists the pictures that could not be pasted (D13)', async () => {
  const page = await openEditor();
  await paste(page, { html: WORD });
  await page.getByText('2 pictures were left out').waitFor();
  const written = await html(page);
  expect(written).toBe(
    '<p>What we need:</p><ul><li><p>First <strong>point</strong></p><ul><li><p>Under it</p><ul><li><p>Deep</p></li></ul></li></ul></li>' +
      '<li><p>Second point</p></li></ul><ol><li><p>Draw</p></li><li><p>Print</p></li></ol><h2>A heading</h2>' +
      '<p>Cell A</p><p>Cell <em>B</em></p><p>Inner</p><p>After the picture</p>',
  );
  expect(cleanRichText(written)).toBe(written);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.getByText('pictures were left out').count()).toBe(0);
});

it('text pasted from Word lists pictures on other sites, and removes them on request (D13)', async () => {
  const page = await openEditor();
  await page.route(/pictures\.invalid/, (route) => route.abort());
  await paste(page, {
    html: `<p>One <img src="https://pictures.invalid/a.png"> two <img src="https://pictures.invalid/b.png"> three <img src="data:image/gif;base64,${GIF}"></p>`,
  });
  await page.getByText('2 pictures stay on other sites').waitFor();
  await page.getByRole('button', { name: 'Take them out' }).click();
  expect(await html(page)).toBe(`<p>One  two  three <img src="data:image/gif;base64,${GIF}" alt=""></p>`);
});

it('text pasted from Word asks for a description beside each pasted picture', async () => {
  const page = await openEditor();
  await paste(page, { files: [{ name: 'small', type: 'image/gif', base64: GIF }] });
  await page.locator('#submit-brief img[src]').click();
  await page.locator('.field:has(#submit-brief)').getByLabel('What does it show?').fill('A lamp "with" ears');
  expect(await html(page)).toBe(`<p><img src="data:image/gif;base64,${GIF}" alt="A lamp &quot;with&quot; ears"></p>`);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-brief');
});

it('pasted HTML is reduced to what the server keeps', async () => {
  const page = await openEditor();
  await paste(page, {
    html: '<h4>t</h4><table><tr><td>cell</td></tr></table><p style="color:red" id="a" onclick="x()">p <span style="font-size:99px">s</span> <b>b</b> <i>i</i><script>alert(1)</script></p><hr><div>d</div>',
  });
  const written = await html(page);
  expect(written).not.toMatch(/style|onclick|script|<h4|<hr|<div|<table|id=/);
  expect(written).toContain('<strong>b</strong> <em>i</em>');
  expect(cleanRichText(written)).toBe(written);
});

it('text field before the editor loads accepts input, and keeps it when the editor replaces the field', async () => {
  const page = await openPage({ viewport: { width: 1280, height: 400 } });
  const release = await hold(page, /loaded-editor-[^/]*\.js/);
  await openForm(page);
  await page.getByLabel('The Brief', { exact: true }).click();
  await page.keyboard.type('First <line>');
  await page.keyboard.press('Enter');
  await page.keyboard.type('second');
  release();
  await page.locator('#submit-brief.editor-text').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-brief');
  await page.keyboard.type(' goes on');
  expect(await html(page)).toBe('<p>First &lt;line&gt;</p><p>second goes on</p>');
});

it('text field before the editor loads works alone when the editor fails to load', async () => {
  const page = mayComplain(await openPage());
  await page.route(/loaded-editor-[^/]*\.js/, (route) => route.abort());
  await openForm(page);
  await page.getByLabel('The Brief', { exact: true }).fill('Only words');
  expect(await html(page)).toBe('<p>Only words</p>');
});
