import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { extname, join, relative } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysIn, newAddress, type RunningServer, startServerOnPostgres } from '../server.ts';

const CLIENT = join(import.meta.dirname, '..', '..', 'build', 'client');
const TEXT = ['.js', '.css', '.svg', '.txt', '.json', '.webmanifest', '.xml', '.html', '.map'];

let server: RunningServer;
beforeAll(async () => {
  server = await startServerOnPostgres({ SEED: 'none' });
});
afterAll(() => server?.stop());

const WEBSOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** The response with its encoded body. */
async function request(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const outgoing = get(server.base + path, { headers, method });
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

describe('the HTTP server', () => {
  it.each(['/case-studies', '/case-study-upload', '/sign-in', '/no-such-page'])(
    'sends %s compressed at the first request',
    async (path) => {
      const plain = await request(path);
      for (const visit of ['first', 'second']) {
        const br = await request(path, { 'accept-encoding': 'gzip, deflate, br' });
        expect(br.headers['content-encoding'], visit).toBe('br');
        expect(br.headers.vary).toContain('Accept-Encoding');
        expect(brotliDecompressSync(br.body).toString()).toBe(plain.body.toString());
        const gzip = await request(path, { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
        expect(gunzipSync(gzip.body).toString()).toBe(plain.body.toString());
        expect(br.body.length).toBeLessThan(plain.body.length / 2);
      }
    },
  );

  it('sends every text file over 512 bytes of build/client compressed', async () => {
    const entries = await readdir(CLIENT, { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    let checked = 0;
    for (const name of names.filter((one) => TEXT.includes(extname(one)))) {
      const body = await readFile(name);
      if (body.length <= 512) continue;
      const path = `/${relative(CLIENT, name)}`;
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const response = await request(path, { 'accept-encoding': encoding });
        expect(response.headers['content-encoding'], path).toBe(encoding);
        expect(decode(response.body).equals(body), path).toBe(true);
      }
      checked++;
    }
    expect(checked).toBeGreaterThan(50);
  });

  it('responds to HEAD like GET without a body, and never caches the empty body', async () => {
    const head = await request('/about', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const page = await request('/about');
    expect(page.body.length).toBeGreaterThan(1_000);
    const again = await request('/about', {}, 'HEAD');
    expect([again.status, again.body.length, again.headers['content-length']]).toEqual([
      200,
      0,
      String(page.body.length),
    ]);
  });

  it.each([
    ['/realtime/v1', 'GET', {}],
    ['/realtime/v1/api/broadcast', 'POST', {}],
    ['/realtime/v1/websocket?apikey=x&vsn=1.0.0', 'GET', WEBSOCKET],
    ['/realtime/v1/api/tenants/x/health', 'HEAD', {}],
    ['/graphql/v1', 'POST', { accept: 'application/graphql-response+json' }],
    ['/graphql/v1?query=%7B__typename%7D', 'GET', { accept: 'text/html' }],
  ])('responds 404 in JSON for an unsupported service (%s) (F1)', async (path, method, headers) => {
    const { status, headers: sent, body } = await request(path, headers, method);
    expect([status, sent['content-type'], sent['access-control-allow-origin'], sent['cache-control']]).toEqual([
      404,
      'application/json',
      '*',
      'no-store',
    ]);
    if (method === 'HEAD') return;
    const json = JSON.parse(body.toString());
    // Fields that realtime-js and GraphQL clients display.
    const message = path.startsWith('/graphql') ? json.errors[0].message : json.message;
    expect(message).toMatch(/is not available on this server/);
  });

  it('allows other origins to read the 404 of an unsupported service (F1)', async () => {
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await request('/graphql/v1', preflight, 'OPTIONS');
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect((await request('/realtime', { accept: 'text/html' })).headers['content-type']).toContain('text/html');
  });

  it('limits by socket address: no header allows another try (TM-42)', async () => {
    const { publishable } = keysIn(server.dataDir);
    const names = ['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'fly-client-ip', 'via'];
    const statuses: number[] = [];
    for (let time = 0; time <= 30; time++) {
      const claims = Object.fromEntries(names.map((name) => [name, newAddress()]));
      const forwarded = { 'x-forwarded-for': `${newAddress()}, ${newAddress()}`, forwarded: `for=${newAddress()}` };
      const response = await fetch(`${server.base}/auth/v1/verify`, {
        method: 'POST',
        headers: { apikey: publishable, 'content-type': 'application/json', ...claims, ...forwarded },
        body: JSON.stringify({ type: 'signup', token_hash: String(time) }),
      });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array(30).fill(403), 429]);
  });

  it('sends pages without a Server header, and forbids framing', async () => {
    const { headers } = await request('/case-studies');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});
