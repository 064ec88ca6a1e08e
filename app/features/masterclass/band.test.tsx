import { renderToStaticMarkup } from 'react-dom/server';
import { RouterContextProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SiteSettings, siteContext, siteContextFor } from '#context/site-context.ts';
import { FactsContext } from '#context/use-facts.ts';
import Home, { loader as homeLoader } from '#features/pages/home/home.tsx';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { loader as courseLoader } from './masterclass.tsx';
import { masterclassPage } from './words/content.ts';

afterEach(() => vi.useRealTimers());

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
    expect(html).not.toContain(masterclassPage.words.buttons.more);
    expect(expires).toBeNull();
  });
});

it('lists each client once, and no empty list of clients', async () => {
  const { html } = await homeAt('2027-01-01T00:00:00Z', ['Kettle & Co', ' Kettle & Co ', 'Loom']);
  expect(html).toContain('<li>Kettle &amp; Co</li><li>Loom</li></ul>');
  expect((await homeAt('2027-01-01T00:00:00Z')).html).not.toContain('id="clients"');
});
