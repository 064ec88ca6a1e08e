import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, openBrowser, PHONE } from '../../browser.ts';
import { publish } from '../experiments.ts';
import { openPage } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';

let browser: Browser;
const { admin } = inject('accounts');
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Statuses of the next responses, then 204. */
let statuses: number[];
let received: { headers: Record<string, string>; body: string }[];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
  response.writeHead(statuses.shift() ?? 204).end();
}).listen(0, '127.0.0.1');
beforeAll(() => once(receiver, 'listening'));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  [statuses, received] = [[], []];
});
afterEach(async () => {
  await (await dataAs(admin)).from('webhooks').delete().neq('url', '').throwOnError();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const said = (page: Page, words: string) => page.locator('.status-said').filter({ hasText: words }).last().waitFor();
const shot = async (page: Page, name: string) => {
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png`, fullPage: true });
};

describe('webhooks in Settings', () => {
  it.each([
    ['390', PHONE],
    ['1440', DESKTOP],
  ])('are added, tested, read in the log, sent again, turned off and deleted at %s pixels', async (width, device) => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${width}`;
    const page = await openPage(browser, device);
    await enterAdmin(page, admin, '/admin/settings#webhooks');
    await button(page, 'Add a webhook').click();
    await page.getByLabel('Address', { exact: true }).fill('example.com');
    await button(page, 'Save webhook').click();
    await page.getByText('Enter an address such as https://example.com/hook.').waitFor();
    await page.getByLabel('Address', { exact: true }).fill(url);
    await button(page, 'Save webhook').click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByLabel('A project appears on the site').check();
    await shot(page, `form-${width}`);
    await expectAccessible(page);
    await button(page, 'Save webhook').click();
    const secret = await page.getByLabel('Copy the secret now: it is not shown again.').inputValue();
    await shot(page, `secret-${width}`);
    const verify = ({ body, headers }: (typeof received)[number]) => new Webhook(secret).verify(body, headers);

    await page.getByText(/^Last deliveries/).click();
    await page.getByText('Nothing has been sent in the last 30 days.').waitFor();
    statuses = [500];
    await button(page, `Send a test to ${url}`).click();
    await page.getByText(/Failed, and will be tried again: The receiver answered 500\.|Sent \(status 204\)/).waitFor();
    await shot(page, `log-${width}`);
    await expectAccessible(page);
    await button(page, 'Send again (A test)').click();
    await page.getByText('Sent (status 204)').waitFor();
    expect(received.map(verify)).toEqual(received.map(() => expect.objectContaining({ type: 'webhook.test' })));

    const title = `Published at ${width}`;
    await publish(admin, { title });
    await expect
      .poll(() => received.map(verify))
      .toContainEqual(expect.objectContaining({ type: 'project.published', data: expect.objectContaining({ title }) }));
    await page.reload();
    expect(await page.getByLabel('Copy the secret now').count()).toBe(0);

    const choose = async (name: string) => {
      await page.getByLabel(new RegExp(`More.*${url}`)).click();
      await button(page, name).click();
    };
    await choose('Turn off');
    await said(page, 'The webhook is off.');
    await choose('New secret');
    await button(page, 'Create secret').click();
    expect(await page.getByLabel('Copy the secret now: it is not shown again.').inputValue()).not.toBe(secret);
    await choose('Delete');
    await button(page, 'Delete Permanently').click();
    await page.getByText('There are no webhooks yet.').waitFor();
    expectQuiet(page);
  });

  it('are added and tested by keyboard alone, and an address of this machine is refused with the reason', async () => {
    const page = await openPage(browser);
    await enterAdmin(page, admin, '/admin/settings#webhooks');
    await button(page, 'Add a webhook').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('https://localhost:9/hook');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByLabel('Copy the secret now: it is not shown again.').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Standard Webhooks');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await said(page, 'The test is on its way.');
    await page.getByText(/^Last deliveries/).focus();
    await page.keyboard.press('Enter');
    await page.getByText('WEBHOOK_NETWORKS').waitFor();
    expectQuiet(page);
  });
});
