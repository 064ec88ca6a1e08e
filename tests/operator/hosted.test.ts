import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishableKeyOf, type RunningServer, startServer } from '../server.ts';

const KEY = 'sb_publishable_of_the_other_side';

/** A server that refuses every question of the data service, as a hosted project in trouble does. */
async function troubled(answer: { status: number; body: string }): Promise<{ url: string; close: () => void }> {
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

describe('the same site on somebody else’s backend', () => {
  let backend: RunningServer;
  let site: RunningServer;
  let key: string;
  beforeAll(async () => {
    backend = await startServer({ SEED: 'demo' });
    key = await publishableKeyOf(backend.base);
    site = await startServer({ SUPABASE_URL: backend.base, SUPABASE_PUBLISHABLE_KEY: key });
  });
  afterAll(async () => {
    await site?.stop();
    await backend?.stop();
  });

  it('DATA-19, SCOPE-05: shows what that backend holds, and starts none of our services', async () => {
    const titles = ({ html }: { html: string }) => [...html.matchAll(/Project: [^<]+/g)].map(([title]) => title);
    const [there, here] = [await listOf(backend), await listOf(site)];
    expect(titles(here).length).toBeGreaterThan(5);
    expect(titles(here)).toEqual(titles(there));
    expect(here.html).toContain(`content="${backend.base}"`);
    expect((await fetch(`${site.base}/rest/v1/projects`, { headers: { apikey: key } })).status).toBe(404);
    expect(site.output()).toContain(`hosted Supabase at ${backend.base}`);
  });

  it('DETAIL-01: fetches a record by its id from there', async () => {
    const path = /href="(\/case-studies\/[0-9a-f-]{36}\/[^"]+)"/.exec((await listOf(site)).html)![1]!;
    const title = /<h1[^>]*>(.*?)<\/h1>/;
    const [there, here] = await Promise.all(
      [backend, site].map(async ({ base }) => title.exec(await (await fetch(base + path)).text())?.[1]),
    );
    expect(here).toBeTruthy();
    expect(here).toBe(there);
  });

  it('gives robots the same: a sitemap, a feed, and a picture for every link', async () => {
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

describe('a backend in trouble', () => {
  it.each([
    [
      { status: 400, body: JSON.stringify({ code: 'XX', message: 'The press is jammed', details: null, hint: null }) },
      'API Error: The press is jammed',
    ],
    [{ status: 400, body: '' }, 'Failed to load mad experiments'],
  ])(
    'LIST-05, ERR-01, STATE-08: is told in a red box, and asked again at the next visit (%j)',
    async (answer, words) => {
      const { url, close } = await troubled(answer);
      const site = await startServer({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: KEY });
      try {
        const { status, html } = await listOf(site);
        expect(status).toBeGreaterThanOrEqual(500);
        expect(html).toMatch(new RegExp(`class="[^"]*banner-error[^"]*"[^>]*role="alert"[\\s\\S]*${words}`));
        expect(html).not.toContain('No experiments found');
        for (const path of ['/sitemap.xml', '/feed.xml']) {
          // A robot that was told "nothing here" would forget us.
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
