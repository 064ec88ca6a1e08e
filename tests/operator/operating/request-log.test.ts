import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { type RunningServer, startServerOnPostgres } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface Line {
  msg: string;
  request: string;
  route: string;
  status: number | null;
  [name: string]: unknown;
}

const linesOf = (server: RunningServer) => {
  const lines = server.output().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
};

describe('the request log', () => {
  const server = forAllTests(() =>
    startServerOnPostgres({ SEED: 'none', REQUEST_LOG: 'on', TRUST_PROXY: '1', LOG_LEVEL: 'error' }),
  );
  const client = clientOf(server);
  beforeAll(async () => {
    // The line of the request that found the server ready may follow later.
    await vi.waitFor(() => expect(linesOf(server).at(-1)).toMatchObject({ route: '/ready', status: 200 }), 60_000);
  });

  async function send(path: string, call?: Call): Promise<Line> {
    const before = linesOf(server).length;
    await (await client.send(path, call)).arrayBuffer();
    await expect.poll(() => linesOf(server).length).toBeGreaterThan(before);
    return linesOf(server)[before]!;
  }

  it('logs a rendered page and the same page from the cache', async () => {
    const made = await send('/about');
    const line = { level: 30, msg: 'request', method: 'GET', route: '/about', status: 200, cached: false };
    expect(made).toMatchObject({ ...line, role: 'anon' });
    expect(made.request).toMatch(/^[\da-f-]{36}$/);
    expect(made['bytes']).toBeGreaterThan(1_000);
    expect(made['ms']).toBeGreaterThan(0);
    expect(await send('/about')).toMatchObject({ route: '/about', status: 200, cached: true });
    expect(await send('/font-licences.txt')).toMatchObject({ route: 'file', cached: true });
  });

  it.each([
    ['GET', '/case-studies/6b1f0a52-0000-4000-8000-000000000000/some-words', '/case-studies/:id/:slug?', 404],
    ['GET', '/no/such/page', '/*', 404],
    ['GET', '/about.data', '/about.data', 200],
    ['GET', '/rest/v1/projects?select=id', '/rest/v1/:table', 200],
    ['POST', '/rest/v1/rpc/get_guest_user_id', '/rest/v1/rpc/:function', 200],
    ['GET', '/auth/v1/settings', '/auth/v1/settings', 200],
    ['GET', '/auth/v1/nowhere/at/all', '/auth/v1/*', 404],
    ['DELETE', '/auth/v1/admin/users/6b1f0a52-0000-4000-8000-000000000000', '/auth/v1/admin/users/:id', 403],
    ['GET', '/storage/v1/object/public/case-studies/images/x.png', '/storage/v1/object/public/:bucket/:key', 400],
    ['POST', '/functions/v1/nothing', '/functions/v1/:name/*', 404],
    ['GET', '/ready', '/ready', 200],
  ])('logs %s %s with its route pattern', async (method, path, route, status) => {
    const body = method === 'POST' ? { json: {} } : {};
    expect(await send(path, { method, ...body })).toMatchObject({ method, route, status });
  });

  it('logs the caller’s role, but no credentials or personal data', async () => {
    const email = `${randomUUID()}@madhouse.example`;
    const password = 'tangerine bicycle pump';
    const { publishable, secret } = client;
    const json = { email, password, email_confirm: true };
    const created = await send('/auth/v1/admin/users', { json, apikey: secret, token: secret });
    expect(created).toMatchObject({ role: 'service_role', status: 200 });
    const { access_token: token } = await client.signIn({ email, password });
    await expect.poll(() => linesOf(server).at(-1)?.route).toBe('/auth/v1/token');
    expect(await send('/rest/v1/projects?title=eq.hunter2', { token })).toMatchObject({ role: 'authenticated' });
    const address = '203.0.113.77';
    const draft = 'd'.repeat(43);
    const words = { cookie: 'hunter2=hunter2', 'user-agent': 'hunter2', referer: 'hunter2' };
    await send(`/case-studies?q=hunter2&draft=${draft}`, { headers: { 'x-forwarded-for': address, ...words } });
    for (const word of ['hunter2', address, email, token, secret, publishable, draft, password])
      expect(server.output()).not.toContain(word);
  });

  it('logs the client’s traceparent when it is valid', async () => {
    expect(await send('/terms', { headers: { traceparent: TRACE } })).toMatchObject({ traceparent: TRACE });
    for (const wrong of ['hunter3', `${TRACE}-00`, TRACE.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32))])
      expect(await send('/terms', { headers: { traceparent: wrong } })).not.toHaveProperty('traceparent');
    expect(server.output()).not.toContain('hunter3');
  });

  it('contains the request id of an error response', async () => {
    const before = linesOf(server).length;
    const response = await client.send('/rest/v1/nothing');
    expect(response.status).toBe(404);
    await expect.poll(() => linesOf(server).length).toBeGreaterThan(before);
    expect(linesOf(server)[before]!.request).toBe(response.headers.get('x-request-id'));
  });

  it('logs malformed requests, and those aborted by the client', async () => {
    const raw = (text: string, end: boolean) => {
      const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(text, () => end && setTimeout(() => socket.destroy(), 50));
    };
    raw('GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n', false);
    await expect.poll(() => linesOf(server).at(-1)).toMatchObject({ route: 'damaged', status: 400 });
    raw('POST /contact HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', true);
    await expect.poll(() => linesOf(server).at(-1)).toMatchObject({ route: '/contact', status: null, cut: true });
  });
});
