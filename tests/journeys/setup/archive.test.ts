import postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { expectAccessible, mayComplain, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { codeInMail } from '../../outbox.ts';
import { startServer } from '../../server.ts';
import { openAsAdmin } from '../hands.ts';
import { admin, openPage, seeded, startSeeded } from '../seeded.ts';
import { keepSession } from '../signing-in.ts';

startSeeded();

const PLACE = '/admin/settings#archive';

it('archive download downloads a complete archive on a touch screen, and shows its progress', async () => {
  const page = await openAsAdmin(PLACE, PHONE);
  const part = page.getByRole('region', { name: 'Download everything' });
  await part.getByText('no passwords, second factors').waitFor();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await part.getByRole('button', { name: 'Download everything' }).tap();
  await part.getByRole('progressbar', { name: 'Download of everything' }).waitFor();
  await page.locator('.status-said', { hasText: /^Everything is in the file: \d/ }).waitFor();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^everything-\d{4}-\d\d-\d\d\.tar$/);
  const archive = await openArchive((await file.path())!);
  await archive.close();
  expect(archive.manifest).toMatchObject({ contents: 'take-away', keys: false });
  expect(await part.getByRole('progressbar').count()).toBe(0);
});

it('archive download is cancelled by keyboard, and starts again', async () => {
  const page = await openAsAdmin(PLACE);
  const begin = page.getByRole('button', { name: 'Download everything' });
  await begin.press('Enter');
  await page.getByRole('button', { name: 'Getting everything ready...' }).waitFor();
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
  await page.locator('.status-said', { hasText: 'The download was cancelled. Nothing was saved.' }).waitFor();
  expect(await begin.evaluate((button) => button === document.activeElement)).toBe(true);
  // The running archive ends as soon as the server has noticed.
  const other = page.getByText('Another archive is in progress');
  const download = page.waitForEvent('download');
  for (const deadline = Date.now() + 20_000; ; ) {
    await begin.click();
    const saved = download.then(() => true);
    if (await Promise.race([saved, other.waitFor().then(() => false)])) break;
    expect(Date.now()).toBeLessThan(deadline);
    await page.waitForTimeout(1_000);
  }
});

it('archive download explains where the data is instead of offering a download on a hosted project', async () => {
  const site = await startServer({ SUPABASE_URL: seeded.base, SUPABASE_PUBLISHABLE_KEY: clientOf(seeded).publishable });
  onTestFinished(async () => void (await site.stop()));
  const page = mayComplain(await openPage(PHONE, site.base));
  await keepSession(page, admin);
  await page.goto(PLACE);
  const part = page.getByRole('region', { name: 'Download everything' });
  await part.getByText('is stored by a hosting service').waitFor();
  expect(await part.getByRole('button').count()).toBe(0);
});

// The last test of this server, which it kills.
it('archive download asks for a new sign-in when the last one is old, and reports an interrupted download', async () => {
  const page = mayComplain(await openPage(PHONE));
  await keepSession(page, admin);
  const sql = postgres(seeded.databaseUrl!, { max: 1 });
  const age = () => sql`update auth.sessions set created_at = created_at - interval '11 minutes'`;
  await age();
  await page.goto('/account');
  const mine = page.getByRole('region', { name: 'Your data' });
  await mine.getByRole('button', { name: 'Download my data' }).tap();
  await mine.getByRole('alert').filter({ hasText: 'You signed in more than ten minutes ago' }).waitFor();
  await mine.getByRole('link', { name: 'No password? Sign in another way and come back' }).tap();
  await page.getByRole('button', { name: 'Email me a code' }).tap();
  await page.getByText('We email you a code that signs you in.').waitFor();
  await page.getByRole('textbox', { name: 'Email' }).fill(admin.email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code from the email').fill(await codeInMail(seeded.dataDir, admin.email, 'magic_link'));
  const own = page.waitForEvent('download');
  await mine.getByRole('button', { name: 'Download my data' }).tap();
  await own;
  await age();
  await sql.end();
  await page.goto(PLACE);
  await page.getByRole('button', { name: 'Download everything' }).tap();
  await page.getByRole('alert').filter({ hasText: 'You signed in more than ten minutes ago' }).waitFor();
  await expectAccessible(page);
  const again = page.getByRole('region', { name: 'Sign in again' });
  await again.getByLabel('Email').fill(admin.email);
  await again.getByLabel('Password', { exact: true }).fill(admin.password);
  const download = page.waitForEvent('download');
  await again.getByRole('button', { name: 'Sign In' }).tap();
  await download;

  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  const slow = { offline: false, latency: 10, downloadThroughput: 200_000, uploadThroughput: 200_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await page.getByRole('button', { name: 'Download everything' }).tap();
  await page.getByRole('progressbar').waitFor();
  await seeded.stop!({ signal: 'SIGKILL', keep: true });
  // Bytes already sent still arrive, at the same speed.
  await page.getByRole('alert').filter({ hasText: 'The download broke off, so nothing was saved' }).waitFor();
});
