import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHere, OTHER_ENGINES, type OtherPage, openOther } from '../programs/other-browsers.ts';
import { type RunningServer, setupKeyOf, startServerOnPostgres } from '../server.ts';
import { picture, TEXTS } from './submit/form.ts';

// The first journey in the engines of Firefox and Safari. All other tests use Chromium.
describe.each(OTHER_ENGINES)('%s', (engine) => {
  describe.runIf(isHere(engine))('in a narrow window', () => {
    let server: RunningServer;
    let page: OtherPage;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'madhouse-other-'));
      [server, page] = await Promise.all([startServerOnPostgres({ SEED: 'none' }), openOther(engine)]);
    });
    afterAll(async () => {
      await page?.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const title = `A Lantern for ${engine}`;
    const shown = (expression: string) => expect.poll(() => page.read<unknown>(expression));
    const says = (words: string) => shown(`document.body.innerText.includes(${JSON.stringify(words)})`).toBe(true);
    /** Clicks the link with this text. @returns the path of the page it opens */
    const byWords = (selector: string, words: string) =>
      `[...document.querySelectorAll('${selector}')].find((one) => one.textContent.includes(${JSON.stringify(words)}))`;
    const press = async (selector: string, words: string) => {
      await shown(`Boolean(${byWords(selector, words)})`).toBe(true);
      await page.read(`${byWords(selector, words)}.setAttribute('data-pressed', ${JSON.stringify(words)})`);
      await page.click(`[data-pressed=${JSON.stringify(words)}]`);
    };

    it('lets a guest submit, the first admin publish, and visitors read', async () => {
      const file = join(folder, 'lantern.png');
      await writeFile(file, (await picture('lantern.png')).buffer);
      await page.goto(`${server.base}/case-study-upload`);
      await shown(`Boolean(document.querySelector('button[type=submit]:enabled'))`).toBe(true);
      await page.type('#submit-title', title);
      await page.attach('input[type=file]', file);
      await shown(`Boolean(document.querySelector('[aria-label="Remove lantern.png"]'))`).toBe(true);
      for (const text of Object.keys(TEXTS)) {
        await page.read(`document.getElementById('submit-${text}').scrollIntoView({ block: 'center' })`);
        await page.type(`#submit-${text}.editor-text`, 'Words of a guest.');
      }
      await shown(`document.body.innerText.includes('Processing...')`).toBe(false);
      await press('button', 'Submit Experiment');
      // A focused link prevents the redirect after two seconds.
      await shown(
        `(document.querySelector('.submitted-link input')?.focus(), document.querySelector('.submitted-link input')?.value)`,
      ).toContain('?draft=');
      const heading = await page.read<number>(`document.querySelector('h1').getBoundingClientRect().height`);
      expect(heading, 'height of the title').toBeLessThan(300);
      await page.goto(await page.read<string>(`document.querySelector('.submitted-link input').value`));
      await says(title);

      await page.goto(`${server.base}/admin-setup`);
      await page.type('input[name=key]', setupKeyOf(server));
      await page.type('input[type=email]', 'first@madhouse.example');
      await page.type('input[type=password]', 'a-long-walk-by-the-sea');
      await press('button', 'Direct API Method');
      await shown('location.pathname').toBe('/admin');
      await page.goto(`${server.base}/admin/case-studies`);
      await press('summary', 'More');
      await press('button', 'Publish');
      await shown(
        `fetch('/case-studies').then((answer) => answer.text()).then((html) => html.includes(${JSON.stringify(title)}))`,
      ).toBe(true);

      await page.goto(`${server.base}/case-studies`);
      await press('main a', title);
      await shown('location.pathname').toContain('/a-lantern-for-');
      for (const words of Object.values(TEXTS))
        await shown(`${byWords('main h2', words)}?.getClientRects().length`).toBe(1);
      await shown(`document.querySelector('.detail-cover img').naturalWidth > 0`).toBe(true);
    });

    it('opens a menu without gaps (X2)', async () => {
      await page.goto(server.base);
      await page.click('[popovertarget=menu]');
      await shown(`document.querySelector('#menu').matches(':popover-open')`).toBe(true);
      const height = await page.read<number>(`document.querySelector('#menu').getBoundingClientRect().height`);
      expect(height, 'height of nine ways on a narrow window').toBeLessThan(650);
    });

    it('shows no date where none is set (X5)', async () => {
      await page.goto(`${server.base}/admin/log`);
      await shown(`document.querySelectorAll('input[type=date]').length`).toBe(2);
      // Firefox shows the date format, dd/mm/yyyy; WebKit inserts today's date.
      const { channels } = await sharp(await page.drawn('input[type=date]'))
        .extract({ left: 5, top: 5, width: 90, height: 24 })
        .greyscale()
        .stats();
      if (engine === 'WebKit') expect(channels[0]!.stdev, 'ink in the field').toBeLessThan(2);
      expect(await page.read(`document.querySelector('input[type=date]').value`)).toBe('');
    });
  });
});
