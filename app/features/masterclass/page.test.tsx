import { renderToStaticMarkup } from 'react-dom/server';
import { RouterContextProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SiteSettings, siteContext, siteContextFor } from '#context/site-context.ts';
import { FactsContext } from '#context/use-facts.ts';
import Home, { loader as homeLoader } from '#features/pages/home/home.tsx';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { builtInAgency as agency } from '#lib/words/agency.ts';
import { loader as courseLoader } from './masterclass.tsx';
import { MasterclassPage } from './page.tsx';
import { masterclassPage } from './words/content.ts';

afterEach(() => vi.useRealTimers());

const { words } = masterclassPage;
const site = 'https://site.example';
const host = { origin: site, own: true, pictureHosts: [], defaultCover: '/c.svg' };
const render = (ahead: boolean, facts = builtInFacts) =>
  renderToStaticMarkup(
    <FactsContext value={facts}>
      <MasterclassPage ahead={ahead} host={host} />
    </FactsContext>,
  );
const [before, after] = [true, false].map((ahead) => render(ahead));
const buttons = (html: string) => [...html.matchAll(/<a [^>]*class="button[^>]*>/g)].map(([tag]) => tag);

describe('masterclass page', () => {
  it('shows dates and prices before the start, and an enquiry button afterwards (MASTER-12)', () => {
    const ahead = [`>${words.buttons.ask}<`];
    const over = [words.buttons.askNext, 'The masterclass of May 10 and 11, 2025 is over.', words.pricing.lastTime];
    const shown = (html: string) => [...ahead, ...over].filter((text) => html.includes(text));
    expect(shown(before!)).toEqual(ahead);
    expect(shown(after!)).toEqual(over);
  });

  it('offers the next masterclass instead of a seat when it is sold out', () => {
    const html = render(true, { ...builtInFacts, masterclassSeatsTaken: 5 });
    for (const text of [words.buttons.askNext, words.closing.titleNext]) expect(html).toContain(text);
    for (const text of [`>${words.buttons.ask}<`, encodeURIComponent(words.buttons.message)])
      expect(html).not.toContain(text);
  });

  it('links every button to the chat app, before and after the dates (MASTER-02)', () => {
    for (const html of [before!, after!]) {
      expect(buttons(html).length).toBeGreaterThan(2);
      const link = [`href="https://wa.me/${agency.chatNumber}?text=`, 'target="_blank"', 'rel="noopener noreferrer"'];
      for (const tag of buttons(html)) for (const part of link) expect(tag).toContain(part);
    }
  });

  it('shows configured teachers with their portraits and facts', () => {
    expect(before).toContain(words.instructor.hand.text);
    const portrait = '/storage/v1/object/public/case-studies/images/a.png';
    const teachers = [
      { name: 'Rukhsana', portrait, record: 'Goldsmith\nTeacher' },
      { name: 'Kabir', portrait: '', record: 'Trainer' },
    ];
    const html = render(true, { ...builtInFacts, teachers });
    expect(html).not.toContain(words.instructor.hand.text);
    expect(html).toMatch(
      /alt="Portrait of Rukhsana".*<h3[^>]*>Rukhsana<\/h3><ul><li[^>]*>Goldsmith<\/li><li[^>]*>Teacher<\/li>.*<h3[^>]*>Kabir/,
    );
    expect(html).not.toContain('Portrait of Kabir');
  });

  it('draws one stool per seat, and says so in words (MASTER-07)', () => {
    const of = (seats: number) =>
      render(true, { ...builtInFacts, masterclass: { ...builtInFacts.masterclass, seats } });
    for (const text of ['Why so few</h2>', words.exclusivity.one]) expect(of(1)).toContain(text);
    for (const text of ['One stool each</h2>', words.exclusivity.many]) expect(of(40)).toContain(text);
    expect(before).toContain('5 seats');
    expect(before!.split('class="stools full ')[1]!.split('</svg>')[0]!.match(/<g /g)).toHaveLength(5);
  });
});

/** Nothing is configured: the built-in dates hold. */
async function loadAt<Data>(loader: (args: never) => Promise<Data>, moment: string, clients: string[] = []) {
  vi.useFakeTimers({ now: new Date(moment), toFake: ['Date'] });
  const settings = {
    origin: 'https://madhouse.example',
    supabase: { url: 'https://madhouse.example', publishableKey: 'key', own: true },
    generation: () => null,
    fetch: (request: Request) =>
      Promise.resolve(Response.json(request.url.includes('/projects?') ? clients.map((client) => ({ client })) : [])),
  } as unknown as SiteSettings;
  const context = new RouterContextProvider();
  context.set(siteContext, siteContextFor(settings, { address: '127.0.0.1', id: 'test' }, new Map()));
  return loader({ context } as never);
}
const expiry = (init: ResponseInit | null) => new Headers(init?.headers).get('expires');

async function homeAt(moment: string, clients: string[] = [], masterclassSeatsTaken = 0) {
  const { data, init } = await loadAt(homeLoader, moment, clients);
  const props = { loaderData: data } as Parameters<typeof Home>[0];
  const html = renderToStaticMarkup(
    <FactsContext value={{ ...builtInFacts, masterclassSeatsTaken }}>
      <Home {...props} />
    </FactsContext>,
  );
  return { html, expires: expiry(init) };
}
const LAST_SECOND = '2025-05-11T13:29:59Z';
const OVER = '2025-05-11T13:30:00Z';
const AT_THE_END = 'Sun, 11 May 2025 13:30:00 GMT';

it('loads structured event data of the masterclass before its end, cached until then', async () => {
  const before = await loadAt(courseLoader, LAST_SECOND);
  expect(before.data).toMatchObject({ ahead: true, event: { '@type': 'Event' } });
  expect(expiry(before.init)).toBe(AT_THE_END);
  const after = await loadAt(courseLoader, OVER);
  expect(after.data).toMatchObject({ ahead: false, event: null });
  expect(expiry(after.init)).toBeNull();
});

describe('masterclass announcement on the home page', () => {
  it('shows price and seats, and is cached until the masterclass ends', async () => {
    const { html, expires } = await homeAt(LAST_SECOND);
    const [, band] = /<section class="edged course-band [^"]*"([\s\S]*?)<\/section>/.exec(html)!;
    for (const fact of ['May 10 and 11, 2025', 'Mumbai', '5 seats', '₹12,500 per seat, plus 18% GST'])
      expect(band).toContain(fact);
    expect(band!.match(/<a [^>]*href="\/ai-jewelry-masterclass"/g)).toHaveLength(1);
    expect(expires).toBe(AT_THE_END);
  });

  it('shows how many seats are left, also when there are none', async () => {
    expect((await homeAt(LAST_SECOND, [], 2)).html).toContain('3 of 5 seats left');
    expect((await homeAt(LAST_SECOND, [], 5)).html).toContain('Sold out');
  });

  it('disappears when the masterclass is over', async () => {
    const { html, expires } = await homeAt(OVER);
    expect(html).not.toContain('course-band');
    expect(html).not.toContain(words.buttons.more);
    expect(expires).toBeNull();
  });
});

it('lists each client once, and no empty list of clients', async () => {
  const { html } = await homeAt('2027-01-01T00:00:00Z', ['Kettle & Co', ' Kettle & Co ', 'Loom']);
  expect(html).toContain('<li>Kettle &amp; Co</li><li>Loom</li></ul>');
  expect((await homeAt('2027-01-01T00:00:00Z')).html).not.toContain('id="clients"');
});
