import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress, type RunningServer, startServer } from '../../server.ts';

const ID = 'b0000000-0000-4000-8000-00000000beef';

async function send(base: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, { redirect: 'manual', headers });
  return {
    status: response.status,
    wait: Number(response.headers.get('retry-after')),
    kept: response.headers.get('cache-control'),
    text: await response.text(),
  };
}

describe('an address over its request limit', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ SEED: 'none', TRUST_PROXY: '1' });
  });
  afterAll(() => server?.stop());

  it('M2, C12: gets 429 from the 601st uncached page in a minute, without affecting others or logging an error', async () => {
    const busy = newAddress();
    const from = (address: string) => ({ 'x-forwarded-for': address });
    await send(server.base, '/about', from(newAddress()));
    const statuses: number[] = [];
    // A page is rendered for each request with a credential, and for each new search.
    const rendered = { ...from(busy), authorization: 'Bearer none' };
    const next = (number: number) => {
      if (number % 4 === 0) return send(server.base, `/case-studies?q=word${number}`, from(busy));
      return send(server.base, number % 4 === 1 ? '/about' : '/join', rendered);
    };
    for (let number = 0; number < 600; number += 20)
      for (const { status } of await Promise.all(Array.from({ length: 20 }, (_, at) => next(number + at))))
        statuses.push(status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const refused = await send(server.base, '/about', rendered);
    expect(refused).toMatchObject({ status: 429, kept: 'no-store' });
    expect(refused.wait).toBeGreaterThan(0);
    expect(refused.wait).toBeLessThanOrEqual(60);
    expect(refused.text).toContain('<h1>Too many requests</h1>');
    expect(refused.text).toMatch(/Please wait (a second|\d+ seconds) and try again\./);
    // A client-side navigation gets a response that it can show.
    const data = await send(server.base, '/sign-in.data', from(busy));
    expect(data).toMatchObject({
      status: 429,
      text: expect.stringMatching(/^Too many requests come from your address/),
    });
    // Cached pages are not counted, and other addresses have their own limit.
    expect((await send(server.base, '/about', from(busy))).status).toBe(200);
    expect((await send(server.base, '/about', { ...from(newAddress()), authorization: 'Bearer none' })).status).toBe(
      200,
    );
    expect(server.output()).not.toContain('"level":50');
  });
});

it('C12: logs once that an untrusted proxy sets X-Forwarded-For', async () => {
  const server = await startServer({ SEED: 'none' });
  try {
    const warningCount = () => server.output().split('TRUST_PROXY is 0').length - 1;
    await send(server.base, '/about');
    expect(warningCount()).toBe(0);
    for (let number = 0; number < 3; number++)
      await send(server.base, '/join?profit=1', { 'x-forwarded-for': newAddress() });
    await expect.poll(warningCount).toBe(1);
  } finally {
    await server.stop();
  }
});

describe('a backend that rejects requests', () => {
  let refusal: { status: number; headers: Record<string, string> };
  let backend: Server;
  let site: RunningServer;
  beforeAll(async () => {
    const refuse = (response: ServerResponse) =>
      response
        .writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers })
        .end(JSON.stringify({ code: 'X', message: 'internal words', details: null, hint: null }));
    backend = createServer((request, response) =>
      request.url === '/auth/v1/health' ? response.end('{}') : refuse(response),
    ).listen(0, '127.0.0.1');
    await once(backend, 'listening');
    site = await startServer({
      SUPABASE_URL: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_other_side',
    });
  });
  afterAll(async () => {
    await site?.stop();
    backend?.close();
  });

  it.each([
    [429, 429, 'Too many requests come from your address. Please wait 17 seconds and try again.'],
    [503, 503, 'We are very busy, or briefly away. Please try again in a moment.'],
    [504, 503, 'We are very busy, or briefly away. Please try again in a moment.'],
  ])(
    'M2, C12: with %i makes pages return %i with Retry-After and a text, uncached and without an error in the log',
    async (status, page, words) => {
      refusal = { status, headers: { 'retry-after': '17' } };
      for (const path of ['/case-studies', '/case-studies?q=kettle', `/case-studies/${ID}`]) {
        const response = await send(site.base, path);
        expect(response, path).toMatchObject({ status: page, wait: 17, kept: 'no-store' });
        // M11: the list first shows the error.
        const first = path.includes(ID) ? '' : 'Failed to load mad experiments. ';
        expect(response.text, path).toContain(`>${first}${words}`);
        expect(response.text, path).not.toContain('internal words');
        // Inside the page frame, so that the visitor can navigate away.
        expect(response.text, path).toContain('<footer class="footer ');
      }
      const data = await send(site.base, `/case-studies/${ID}.data`);
      expect(data).toMatchObject({ status: page, wait: 17, kept: 'no-store', text: words });
      expect(await send(site.base, '/sitemap.xml')).toMatchObject({ status: page, wait: 30, kept: 'no-store' });
      for (const path of ['/about', '/', '/join', '/privacy', '/contact', '/sign-in'])
        expect(await send(site.base, path), path).toMatchObject({ status: 200, kept: 'no-store', wait: 0 });
      expect(site.output()).not.toContain('"level":50');
    },
  );
});
