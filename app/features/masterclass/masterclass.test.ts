import { RouterContextProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SiteSettings, siteContext, siteContextFor } from '#context/site-context.ts';
import { loader } from './masterclass.tsx';

afterEach(() => vi.useRealTimers());

const settings: SiteSettings = {
  origin: 'https://madhouse.example',
  supabase: { url: 'https://madhouse.example', publishableKey: 'key', own: true },
  generation: () => null,
  // Nothing is configured: the built-in dates hold.
  fetch: () => Promise.resolve(Response.json([])),
  drawCard: () => Promise.resolve(null),
  drawPng: () => Promise.resolve(null),
  onError: () => {},
  styleSheet: () => null,
  captcha: null,
  developmentSetupKey: null,
};

async function answerAt(moment: string) {
  vi.useFakeTimers({ now: new Date(moment), toFake: ['Date'] });
  const context = new RouterContextProvider();
  context.set(siteContext, siteContextFor(settings, { address: '127.0.0.1', id: 'test' }, new Map()));
  const { data, init } = await loader({ context } as unknown as Parameters<typeof loader>[0]);
  const headers = new Headers(init?.headers);
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  return { ...data, expires: headers.get('expires') };
}

describe('masterclass route before and after its dates', () => {
  it('has structured event data before the end, and is cached until then', async () => {
    const { ahead, event, expires } = await answerAt('2025-05-11T13:29:59Z');
    expect({ ahead, expires }).toEqual({ ahead: true, expires: 'Sun, 11 May 2025 13:30:00 GMT' });
    expect(event).toMatchObject({
      '@type': 'Event',
      startDate: '2025-05-10T14:30:00+05:30',
      endDate: '2025-05-11T19:00:00+05:30',
      offers: [
        { price: 12_500, priceCurrency: 'INR' },
        { price: 9_985, priceCurrency: 'INR' },
      ],
    });
  });

  it('never expires from the cache once the masterclass is over', async () => {
    const { host: _, ...answer } = await answerAt('2025-05-11T13:30:00Z');
    expect(answer).toEqual({ ahead: false, event: null, expires: null });
  });
});
