import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../for-all-tests.ts';
import { newAddress, startServerOnPostgres } from '../server.ts';
import { clientOf } from './client.ts';

const CLIENT = join(import.meta.dirname, '..', '..', 'build', 'client');
const SETUP_KEY = `key-of-this-test-${randomBytes(8).toString('hex')}`;
const PAGES = '/admin-setup /admin-help /admin-login /verify-user /admin /admin/settings /sign-in /'.split(' ');
const TEXT = ['.js', '.css', '.svg', '.txt', '.json', '.webmanifest', '.xml', '.html', '.map'];

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', SETUP_KEY }));

const WEBSOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** The response with its encoded body. */
async function request(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const [response] = (await once(get(server.base + path, { headers, method }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** URLs of the built files. */
async function builtFiles(): Promise<string[]> {
  const entries = await readdir(CLIENT, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(CLIENT.length)] : []));
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
    let checked = 0;
    for (const path of (await builtFiles()).filter((one) => TEXT.includes(extname(one)))) {
      const body = await readFile(join(CLIENT, path));
      if (body.length <= 512) continue;
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
    const sent = [again.status, again.body.length, again.headers['content-length']];
    expect(sent).toEqual([200, 0, String(page.body.length)]);
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
    const answer = [status, sent['content-type'], sent['access-control-allow-origin'], sent['cache-control']];
    expect(answer).toEqual([404, 'application/json', '*', 'no-store']);
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
    const names = ['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'fly-client-ip', 'via'];
    const statuses: number[] = [];
    for (let time = 0; time <= 30; time++) {
      const claims = Object.fromEntries(names.map((name) => [name, newAddress()]));
      const forwarded = { 'x-forwarded-for': `${newAddress()}, ${newAddress()}`, forwarded: `for=${newAddress()}` };
      const json = { type: 'signup', token_hash: String(time) };
      const headers = { ...claims, ...forwarded };
      statuses.push((await clientOf(server).send('/auth/v1/verify', { json, headers })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(403), 429]);
  });

  it('sends pages without a Server header, and forbids framing', async () => {
    const { headers } = await request('/case-studies');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('serves a script of an earlier release that is only in its store', async () => {
    const path = '/assets/page-Ab_12345.js';
    const words = 'export const words = "of the release before";';
    const folder = join(server.dataDir, 'objects', 'assets');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, createHash('sha256').update(path).digest('hex')), words);
    const { status, headers, body } = await request(path);
    const types = [headers['content-type'], headers['cache-control']];
    expect(types).toEqual(['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable']);
    expect([status, body.toString()]).toEqual([200, words]);
    expect((await request('/assets/none-Ef_56789.js')).status).toBe(404);
  });

  it('never sends the setup key to a browser in production (CFG-04)', async () => {
    const hash = createHash('sha256').update(SETUP_KEY).digest('hex');
    const forms = [SETUP_KEY, hash, encodeURIComponent(SETUP_KEY), btoa(SETUP_KEY)];
    const data = PAGES.map((path) => (path === '/' ? '/_root.data' : `${path}.data`));
    // Compressed files are served only in place of their original.
    const files = (await builtFiles()).filter((path) => !/\.(br|gz)$/.test(path));
    expect(files.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(20);
    for (const path of [...files, ...PAGES, ...data]) {
      const { status, headers, body } = await request(path);
      if (files.includes(path)) expect(status, path).toBe(200);
      const sent = JSON.stringify(headers) + body.toString('latin1');
      const disclosed = forms.filter((form) => sent.includes(form));
      expect(disclosed, path).toEqual([]);
    }
    expect(server.output()).not.toContain(SETUP_KEY);
    const json = { email: 'first@madhouse.example', password: 'a-long-walk-by-the-sea' };
    const headers = { 'x-setup-key': SETUP_KEY };
    const made = await clientOf(server).send('/functions/v1/admin-setup', { headers, json });
    expect(await made.json()).toMatchObject({ success: true });
  });
});
