import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress, type RunningServer, startServer } from '../../server.ts';

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

  it('gets 429 from the 601st uncached page in a minute, without affecting others or logging an error (M2, C12)', async () => {
    const busy = newAddress();
    const from = (address: string) => ({ 'x-forwarded-for': address });
    await send(server.base, '/about', from(newAddress()));
    const statuses: number[] = [];
    // A page is rendered for each request with a credential, and for each new search. Their data count as well, and cost less.
    const rendered = { ...from(busy), authorization: 'Bearer none' };
    const next = (number: number) => {
      if (number % 40 === 0) return send(server.base, `/case-studies?q=word${number}`, from(busy));
      return send(server.base, number % 40 === 1 ? '/about' : '/sign-in.data', rendered);
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
