import ICAL from 'ical.js';
import { beforeAll, expect, it } from 'vitest';
import { masterclassPage } from '../../../app/features/masterclass/words/content.ts';
import { builtInMasterclass } from '../../../app/features/masterclass/words/defaults.ts';
import { PHONE, SCRIPTLESS } from '../../browser.ts';
import { publishContent } from '../page-editor.ts';
import { admin, htmlOf, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

// The demo has dates of its own; the built-in ones are past.
beforeAll(() => configure(null));

const { buttons, pricing } = masterclassPage.words;
const PAGE = '/ai-jewelry-masterclass';
const ask = (path: string) => fetch(seeded.base + path);
const shown = async () => {
  const page = await htmlOf(PAGE);
  return page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
};

/** Changes a setting as an admin; null deletes it. */
async function configure(course: Partial<typeof builtInMasterclass> | null): Promise<void> {
  const settings = (await dataAs(admin)).from('site_settings');
  if (course)
    await settings.upsert({ name: 'masterclass', value: { ...builtInMasterclass, ...course } }).throwOnError();
  else await settings.delete().eq('name', 'masterclass').throwOnError();
}

const printedPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

it('past masterclass has eleven sections with dates, place, prices and programme, sells nothing, and invites enquiries about the next masterclass (ROUTE-16, MASTER-01, MASTER-03, MASTER-04, MASTER-05, MASTER-06, MASTER-08, MASTER-09, MASTER-10, MASTER-11, MASTER-12)', async () => {
  const page = await openAt(PAGE, SCRIPTLESS);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  const headings = page.getByRole('main').getByRole('heading', { level: 2 });
  const order = await headings.evaluateAll((all) => all.map(({ id }) => id));
  const lessons = ['problem', 'programme', 'outcomes', 'exclusivity', 'audience', 'roadmap'];
  expect(order).toEqual([...lessons, 'instructor', 'resources', 'pricing', 'closing']);
  for (const name of order) {
    const section = page.locator(`section[aria-labelledby="${name}"]`);
    expect((await section.innerText()).length, name).toBeGreaterThan(50);
  }
  const words = (await page.locator('main').textContent())!;
  const course = ['A two-day in-person AI masterclass for jewelry business owners', 'Mumbai'];
  const dates = ['May 10 and 11 (Saturday and Sunday)', '2:30 PM to 7:00 PM daily', '2 masterclasses per quarter'];
  const prices = ['Standard fee₹12,500per seat', 'Member rate₹9,985per seat', 'Up to 90% time and cost saving'];
  for (const fact of [...course, ...dates, ...prices]) expect(words).toContain(fact);

  expect(await page.getByText('The masterclass of May 10 and 11, 2025 is over.').isVisible()).toBe(true);
  expect(await page.locator('.facts-slip').first().innerText()).toMatch(/next one\s+no date yet/i);
  expect(await page.getByRole('heading', { name: pricing.titleNext }).isVisible()).toBe(true);
  expect(await page.getByText(buttons.ask, { exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: buttons.calendar }).count()).toBe(0);
  const chat = page.getByRole('link', { name: buttons.askNext }).locator('visible=true').first();
  const box = await chat.boundingBox();
  expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.viewport.height);
  expect(decodeURIComponent((await chat.getAttribute('href'))!)).toContain(buttons.messageNext);
  expect((await ask(`${PAGE}.ics`)).status).toBe(404);
});

const next = {
  days: ['2061-10-31', '2061-11-01'],
  from: '09:00',
  to: '16:00',
  city: 'Jaipur, Johari Bazaar',
  seats: 12,
  perQuarter: 1,
  standardFee: 115_000,
  memberFee: 99_000,
  saving: 75,
};

it('upcoming masterclass shows an admin’s settings immediately on every page (CONST-41, MASTER-12)', async () => {
  await configure(null);
  expect(await shown()).toContain('May 10 and 11 (Saturday and Sunday), 2025');
  await configure(next);
  const page = await shown();
  const dates = ['October 31 and November 1 (Monday and Tuesday), 2061', '9:00 AM to 4:00 PM daily', 'Two days'];
  const places = ['Jaipur, Johari Bazaar', '12 seats', 'Twelve people fit round one table'];
  const numbers = ['1 masterclass per quarter', 'There is 1 masterclass per quarter.', 'Up to 75%'];
  const prices = ['₹ 1,15,000', '₹ 99,000', '₹16,000 less than the standard fee'];
  for (const fact of [...dates, ...places, ...numbers, ...prices]) expect(page).toContain(fact);
  expect(page).not.toMatch(/May 10|Mumbai|12,500|9,985/);
  expect(page).toContain(buttons.ask);
  expect(page).not.toContain(buttons.askNext);
  const whole = await htmlOf(PAGE);
  expect(whole.match(/<g [^>]*transform="translate\(\d+ \d+\)"><path class="plate-one"/g)).toHaveLength(12);
  expect(whole).toContain('"startDate":"2061-10-31T09:00:00+05:30"');
  await configure(null);
  expect(await shown()).toContain('May 10 and 11 (Saturday and Sunday), 2025');
});

it('upcoming masterclass exports a calendar file in the reader’s time zone', async () => {
  await configure(next);
  const answer = await ask(`${PAGE}.ics`);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const file = await answer.text();
  expect(file).toContain('\r\n');
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(file));
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  const days = events.map(({ startDate, endDate, location }) => {
    const times = [startDate, endDate].map((time) => time.toJSDate().toISOString());
    return [...times, location];
  });
  expect(days).toEqual([
    ['2061-10-31T03:30:00.000Z', '2061-10-31T10:30:00.000Z', 'Madhouse, Jaipur, Johari Bazaar'],
    ['2061-11-01T03:30:00.000Z', '2061-11-01T10:30:00.000Z', 'Madhouse, Jaipur, Johari Bazaar'],
  ]);
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(2);
  for (const { component } of events) {
    expect(component.getFirstPropertyValue('url')).toBe(seeded.base + PAGE);
    expect(component.hasProperty('dtstamp')).toBe(true);
  }
});

it('upcoming masterclass has the words of its page in the calendar file, on the home page and in search results', async () => {
  await configure(next);
  const facts = { left: 'Only {left} of {seats} {seats|chair|chairs} left' };
  const buttons = { ask: 'Book a chair', more: 'What happens' };
  await publishContent('masterclass', { name: 'Gold and machines', hero: { lead: 'Bring a ring.' }, buttons, facts });
  const file = (await htmlOf(`${PAGE}.ics`)).replaceAll('\r\n ', '');
  expect(file).toContain('SUMMARY:Gold and machines\\, day 1');
  expect(file).toContain('DESCRIPTION:Bring a ring.\\nBook a chair: ');
  const [page, home] = await Promise.all([PAGE, '/'].map(htmlOf));
  for (const text of ['<title>Gold and machines |', '"name":"Gold and machines"', ' of 12 chairs left'])
    expect(page).toContain(text);
  for (const text of ['Gold and machines', 'What happens', ' of 12 chairs left']) expect(home).toContain(text);
  await publishContent('masterclass', {});
});

it('upcoming masterclass draws forty seats on the narrowest screen and on two printed pages', async () => {
  const page = await openPage(SCRIPTLESS);
  await configure({ ...next, seats: 40 });
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(PAGE);
  expect(await page.locator('.stools > g').count()).toBe(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(printedPages(await page.pdf({ format: 'A4', preferCSSPageSize: true }))).toBe(2);
  expect(await page.getByRole('link', { name: buttons.calendar }).first().getAttribute('href')).toBe(`${PAGE}.ics`);
});
