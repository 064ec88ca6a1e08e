import { renderToStaticMarkup } from 'react-dom/server';
import { RouterContextProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SiteSettings, siteContext, siteContextFor } from '#context/site-context.ts';
import { FactsContext } from '#context/use-facts.ts';
import Home, { loader } from '#features/pages/home/home.tsx';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { masterclassPage } from './words/content.ts';

afterEach(() => vi.useRealTimers());

async function homeAt(moment: string, clients: string[] = [], masterclassSeatsTaken = 0) {
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
  const { data, init } = await loader({ context } as unknown as Parameters<typeof loader>[0]);
  const props = { loaderData: data } as Parameters<typeof Home>[0];
  const html = renderToStaticMarkup(
    <FactsContext value={{ ...builtInFacts, masterclassSeatsTaken }}>
      <Home {...props} />
    </FactsContext>,
  );
  return { html, expires: new Headers(init?.headers).get('expires') };
}

describe('masterclass announcement on the home page', () => {
  it('shows price and seats, and is cached until the masterclass ends', async () => {
    const { html, expires } = await homeAt('2025-05-11T13:29:59Z');
    const [, band] = /<section class="edged course-band [^"]*"([\s\S]*?)<\/section>/.exec(html)!;
    for (const fact of ['May 10 and 11, 2025', 'Mumbai', '5 seats', '₹12,500 per seat, plus 18% GST'])
      expect(band).toContain(fact);
    expect(band!.match(/<a [^>]*href="\/ai-jewelry-masterclass"/g)).toHaveLength(1);
    expect(expires).toBe('Sun, 11 May 2025 13:30:00 GMT');
  });

  it('shows how many seats are left, also when there are none', async () => {
    const before = '2025-05-01T00:00:00Z';
    expect((await homeAt(before, [], 2)).html).toContain('3 of 5 seats left');
    expect((await homeAt(before, [], 5)).html).toContain('Sold out');
  });

  it('disappears when the masterclass is over', async () => {
    const { html, expires } = await homeAt('2025-05-11T13:30:00Z');
    expect(html).not.toContain('course-band');
    expect(html).not.toContain(masterclassPage.words.buttons.more);
    expect(expires).toBeNull();
  });

  it('lists each client once, and no empty list of clients', async () => {
    const { html } = await homeAt('2027-01-01T00:00:00Z', ['Kettle & Co', ' Kettle & Co ', 'Loom']);
    expect(html).toContain('<li>Kettle &amp; Co</li><li>Loom</li></ul>');
    expect((await homeAt('2027-01-01T00:00:00Z')).html).not.toContain('id="clients"');
  });
});
