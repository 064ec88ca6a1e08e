import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySeededData } from '../../seeded-data.ts';
import { publishableKeyOf, type RunningServer, startServer } from '../../server.ts';

const KEY = 'sb_publishable_of_the_other_side';

/** Starts a server that rejects every data request, like a failing hosted project. */
async function startFailingBackend(answer: {
  status: number;
  body: string;
}): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

const listOf = async ({ base }: RunningServer) => {
  const response = await fetch(`${base}/case-studies`);
  return { status: response.status, html: await response.text() };
};

describe('the site with a hosted backend', () => {
  let backend: RunningServer;
  let site: RunningServer;
  let key: string;
  beforeAll(async () => {
    backend = await startServer({ SEED: 'none' }, (await copySeededData()).dataDir);
    key = await publishableKeyOf(backend.base);
    site = await startServer({ SUPABASE_URL: backend.base, SUPABASE_PUBLISHABLE_KEY: key });
  });
  afterAll(async () => {
    await site?.stop();
    await backend?.stop();
  });

  it('shows the data of that backend, and starts no service of its own', async () => {
    const titles = ({ html }: { html: string }) => [...html.matchAll(/Project: [^<]+/g)].map(([title]) => title);
    const [there, here] = [await listOf(backend), await listOf(site)];
    expect(titles(here).length).toBeGreaterThan(5);
    expect(titles(here)).toEqual(titles(there));
    expect(here.html).toContain(`content="${backend.base}"`);
    expect((await fetch(`${site.base}/rest/v1/projects`, { headers: { apikey: key } })).status).toBe(404);
    expect(site.output()).toContain(`hosted Supabase at ${backend.base}`);
  });

  it('fetches a record by its id from that backend (DETAIL-01)', async () => {
    const { html } = await listOf(site);
    const cards = [...html.matchAll(/href="(\/case-studies\/[0-9a-f-]{36}\/[^"]+)">Project: ([^<]+)/g)];
    const title = /<h1[^>]*>(.*?)<\/h1>/;
    expect(cards.length).toBeGreaterThan(5);
    for (const [, path, named] of [cards[0]!, cards.at(-1)!]) {
      const [there, here] = await Promise.all(
        [backend, site].map(async ({ base }) => title.exec(await (await fetch(base + path)).text())?.[1]),
      );
      expect([here, there], path).toEqual([named, named]);
    }
  });

  it('serves a sitemap, a feed and link previews', async () => {
    const ids = async ({ base }: RunningServer) =>
      [...(await (await fetch(`${base}/feed.xml`)).text()).matchAll(/urn:uuid:[^<]+/g)].map(([id]) => id);
    expect(await ids(site)).toEqual(await ids(backend));
    const path = /<loc>[^<]*(\/case-studies\/[0-9a-f-]{36}\/[^<]+)/.exec(
      await (await fetch(`${site.base}/sitemap.xml`)).text(),
    )![1]!;
    const image = /property="og:image" content="([^"]+)"/.exec(await (await fetch(site.base + path)).text())![1]!;
    expect(image.startsWith(`${site.base}/social/`)).toBe(true);
    const { status, headers } = await fetch(image);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });
});

/** Starts a proxy to a backend. While `silent`, it accepts requests without a response. */
async function relayTo(base: string) {
  const state = { silent: false, requests: [] as string[] };
  const server = createServer((incoming, response) => {
    state.requests.push(`${incoming.method} ${incoming.url}`);
    if (state.silent) return;
    const { method, headers } = incoming;
    const onward = request(
      base + incoming.url,
      { method, headers: { ...headers, host: new URL(base).host } },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, close };
}

describe('a hosted project that stops responding', () => {
  it('is retried once after five seconds, makes the site unready, and cached pages are still served (B7)', {
    timeout: 240_000,
  }, async () => {
    const backend = await startServer({ SEED: 'none' }, (await copySeededData()).dataDir);
    const relay = await relayTo(backend.base);
    const site = await startServer({
      SUPABASE_URL: relay.url,
      SUPABASE_PUBLISHABLE_KEY: await publishableKeyOf(backend.base),
    });
    try {
      const before = await listOf(site);
      expect([before.status, before.html.includes('Project: ')]).toEqual([200, true]);
      relay.state.silent = true;
      const ready = await fetch(`${site.base}/ready`);
      expect([ready.status, (await ready.json()).problems]).toEqual([
        503,
        [{ part: 'project', reason: 'The hosted project does not respond.' }],
      ]);
      relay.state.requests.length = 0;
      const begun = performance.now();
      const never = await fetch(`${site.base}/feed.xml`);
      expect(never.status).toBe(503);
      expect(Number(never.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(performance.now() - begun).toBeGreaterThan(9_500);
      const tries = relay.state.requests.filter((requests) => requests.startsWith('GET /rest/v1/projects'));
      expect(tries).toHaveLength(2);
      expect(new Set(tries).size).toBe(1);
      // The list has expired when it is requested again; its cached copy is still served.
      const wasQueried = () => relay.state.requests.some((requests) => requests.includes('search_case_studies'));
      await expect
        .poll(
          async () => {
            expect((await listOf(site)).html).toBe(before.html);
            return wasQueried();
          },
          { timeout: 60_000, interval: 250 },
        )
        .toBe(true);
      // The stale page is served without waiting five seconds for the project again.
      const again = performance.now();
      expect(await listOf(site)).toEqual(before);
      expect(performance.now() - again).toBeLessThan(5_000);
      relay.state.silent = false;
      await expect.poll(async () => (await fetch(`${site.base}/ready`)).status).toBe(200);
    } finally {
      await site.stop();
      relay.close();
      await backend.stop();
    }
  });
});

describe('a failing backend', () => {
  it.each([
    [
      { status: 400, body: JSON.stringify({ code: 'XX', message: 'The press is jammed', details: null, hint: null }) },
      'API Error: The press is jammed',
    ],
    [{ status: 400, body: '' }, 'Failed to load mad experiments'],
  ])(
    'is reported in a red box, and requested again at the next visit (%j) (LIST-05, DETAIL-13, DETAIL-14, ERR-01, STATE-08)',
    async (response, words) => {
      const { url, close } = await startFailingBackend(response);
      const site = await startServer({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: KEY });
      try {
        const { status, html } = await listOf(site);
        expect(status).toBeGreaterThanOrEqual(500);
        expect(html).toMatch(new RegExp(`class="[^"]*banner-error[^"]*"[^>]*role="alert"[\\s\\S]*${words}`));
        expect(html).not.toContain('No experiments found');
        const one = await fetch(`${site.base}/case-studies/e0000000-0000-4000-8000-000000000001`);
        const body = await one.text();
        expect(one.status).toBeGreaterThanOrEqual(500);
        const reason = words.replace('Failed to load mad experiments', 'Experiment not found');
        expect(body).toContain(`<h1>Error Loading Experiment</h1><p>${reason}</p>`);
        expect(body).toMatch(/<a [^>]*href="\/case-studies"[^>]*>Back to Mad Experiments/);
        for (const path of ['/sitemap.xml', '/feed.xml']) {
          // A crawler that gets 404 would remove the page from its index.
          const { status, headers } = await fetch(site.base + path);
          expect([status, headers.get('retry-after'), headers.get('cache-control')], path).toEqual([
            503,
            '30',
            'no-store',
          ]);
        }
      } finally {
        await site.stop();
        close();
      }
    },
  );
});
