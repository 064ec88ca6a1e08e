import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, PHONE } from '../../browser.ts';
import { startWebhookReceiver } from '../../contract/webhook-receiver.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { chooseInRow, publish } from '../experiments.ts';
import { openAsAdmin, openSignedIn, said } from '../hands.ts';
import { admin, startSeeded } from '../seeded.ts';
import { newAccount } from '../signing-in.ts';

startSeeded({ settings: { WEBHOOK_NETWORKS: '127.0.0.1' } });

const receiver = forAllTests(() => startWebhookReceiver());

const button = (page: Page, name: string) => page.getByRole('button', { name });

it('webhooks in Settings are added, tested, read in the log, sent again, turned off and deleted on a phone', async () => {
  const { url } = receiver;
  const page = await openAsAdmin('/admin/settings#webhooks', PHONE);
  await button(page, 'Add a webhook').click();
  await page.getByLabel('Webhook address').fill('example.com');
  await button(page, 'Save webhook').click();
  await page.getByText('Enter an address such as https://example.com/hook.').waitFor();
  await page.getByLabel('Webhook address').fill(url);
  await button(page, 'Save webhook').click();
  await page.getByText('Choose at least one event.').waitFor();
  await page.getByLabel('A project appears on the site').check();
  await expectAccessible(page);
  await button(page, 'Save webhook').click();
  receiver.secret = await page.getByLabel('Copy the secret now: it is not shown again.').inputValue();

  await page.getByText(/^Last deliveries/).click();
  await page.getByText('Nothing has been sent in the last 30 days.').waitFor();
  receiver.answers.push((response) => response.writeHead(500).end());
  await button(page, `Send a test to ${url}`).click();
  await page.getByText(/Failed, and will be tried again: The receiver answered 500\.|Sent \(status 204\)/).waitFor();
  await button(page, 'Send again (A test)').click();
  await page.getByText('Sent (status 204)').waitFor();
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);

  const title = 'Published on a phone';
  await publish({ title });
  const event = { type: 'project.published', data: expect.objectContaining({ title }) };
  await expect.poll(() => receiver.received.at(-1)?.event).toMatchObject(event);
  await page.reload();
  expect(await page.getByLabel('Copy the secret now').count()).toBe(0);

  await chooseInRow(page, url, 'Turn off');
  await said(page, 'The webhook is off.');
  await chooseInRow(page, url, 'New secret');
  await button(page, 'Create secret').click();
  expect(await page.getByLabel('Copy the secret now: it is not shown again.').inputValue()).not.toBe(receiver.secret);
  await chooseInRow(page, url, 'Delete');
  await button(page, 'Delete Permanently').click();
  await page.getByText('There are no webhooks yet.').waitFor();
});

it('webhooks in Settings are added and tested by keyboard alone, and a private address is refused with the reason', async () => {
  const page = await openAsAdmin('/admin/settings#webhooks');
  await button(page, 'Add a webhook').press('Enter');
  await page.keyboard.type('https://10.0.0.1/hook');
  for (const key of ['Tab', 'Space', 'Enter']) await page.keyboard.press(key);
  await page.getByLabel('Copy the secret now: it is not shown again.').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('standardwebhooks.com');
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
  await said(page, 'The test is on its way.');
  await page.getByText(/^Last deliveries/).press('Enter');
  await page.getByText('WEBHOOK_NETWORKS').waitFor();
});

it('emails to an admin are chosen in the account, with the keyboard; others have no such choice', async () => {
  const page = await openSignedIn(admin, '/account', PHONE);
  const emails = page.getByRole('region', { name: 'Emails to you' });
  const digest = emails.getByLabel('A summary on Mondays, when something happened');
  const before = await digest.isChecked();
  await digest.press('Space');
  await page.keyboard.press('Enter');
  await emails.getByText('Your choice is saved.').waitFor();
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => digest.isChecked()).toBe(!before);
  const member = await openSignedIn(await newAccount(), '/account');
  await member.getByRole('heading', { name: 'Other devices' }).waitFor();
  expect(await member.getByRole('region', { name: 'Emails to you' }).count()).toBe(0);
});
