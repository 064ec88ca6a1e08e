import { cp, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { startHttpServer } from '../../programs/http-server.ts';
import { newAddress, type RunningServer, startServerOnPostgres } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';
import { folderForTests } from '../folder-for-tests.ts';
import { openConnection, type RawConnection, requestHeader } from './slow-sockets.ts';

/** A function that responds only when released; until then its caller occupies a request slot. */
const HELD = `export default async (request: Request) => {
  await fetch((await request.json()).until);
  return Response.json({ success: true });
};`;

const folder = folderForTests();
let server: RunningServer;
beforeAll(async () => {
  await cp('supabase', folder, { recursive: true });
  await mkdir(join(folder, 'functions', 'held'));
  await writeFile(join(folder, 'functions', 'held', 'handler.ts'), HELD);
  const settings = '\n[functions.held]\nverify_jwt = false\nrate = 1000\n';
  await writeFile(join(folder, 'madhouse.toml'), settings, { flag: 'a' });
  server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1', SUPABASE_DIR: folder });
});
// SIGKILL, because a test may have hung the server.
afterAll(() => server?.stop({ signal: 'SIGKILL' }));

const request = (path: string, address = newAddress(), call: Call = {}) =>
  clientOf(server).send(path, { ...call, headers: { 'x-forwarded-for': address, ...call.headers } });

/** Status line of the response to a raw request. */
async function statusLineFor(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
  socket.write(text);
  let response = '';
  for await (const chunk of socket) response += chunk;
  return response.split('\r\n')[0]!;
}

describe('limits of the HTTP server (threat model, section 8)', () => {
  it('limits request headers to 16 KB', async () => {
    const sized = (bytes: number) => {
      const head = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \r\n\r\n';
      return head.replace('X: ', `X: ${'x'.repeat(bytes - head.length)}`);
    };
    expect(await statusLineFor(sized(16_200))).toContain(' 200 ');
    expect(await statusLineFor(sized(16_500))).toContain(' 431 ');
  });

  it('limits URLs to 8 KB', async () => {
    const sized = (bytes: number) => `/about?${'x'.repeat(bytes - '/about?'.length)}`;
    expect((await request(sized(8192))).status).toBe(200);
    expect((await request(sized(8193))).status).toBe(414);
  });

  it('limits each address to 600 uncached pages a minute, without affecting others or logging an error (M2, C12)', async () => {
    const busy = newAddress();
    const send = async (path: string, address = busy, headers: Record<string, string> = {}) => {
      const response = await fetch(server.base + path, { headers: { 'x-forwarded-for': address, ...headers } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    // Pages with a credential and new searches are rendered each time. The smaller data of a page count like it.
    const uncached = { authorization: 'Bearer none' };
    await send('/about', newAddress());
    for (let sent = 0; sent < 600; sent += 20) {
      const paths = ['/about', `/case-studies?q=word${sent}`, ...Array(18).fill('/sign-in.data')];
      for (const { status } of await Promise.all(paths.map((path) => send(path, busy, uncached))))
        expect(status).toBe(200);
    }
    const refused = await send('/about', busy, uncached);
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.text).toContain('<h1>Too many requests</h1>');
    expect(refused.text).toMatch(/Please wait (a second|\d+ seconds) and try again\./);
    // A client-side navigation gets a response that it can show.
    const data = await send('/sign-in.data');
    expect([data.status, data.text]).toEqual([429, expect.stringMatching(/^Too many requests come from your address/)]);
    // Cached pages are not counted, and other addresses have their own limit.
    expect((await send('/about')).status).toBe(200);
    expect((await send('/about', newAddress(), uncached)).status).toBe(200);
    expect(server.output()).not.toContain('"level":50');
  });

  it('limits each address to 600 data requests a minute', async () => {
    const address = newAddress();
    // Rejected before the database, whose time is also limited.
    const read = (from: string) => request('/rest/v1/projects?select=(', from);
    for (let count = 0; count < 600; count += 20)
      for (const { status } of await Promise.all(Array.from({ length: 20 }, () => read(address))))
        expect(status).toBe(400);
    const refused = await read(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await read(newAddress())).status).toBe(400);
  });

  it('limits pending request bodies to 64 per address and 512 in all, and beyond ends the slowest', async () => {
    const lines: RawConnection[] = [];
    const begin = async (address: string) => {
      const headers = { 'Content-Length': 900, Expect: '100-continue' };
      const line = await openConnection(server.base, requestHeader('POST /rest/v1/rpc/is_admin', address, headers));
      lines.push(line);
      return line;
    };
    const ended = () => lines.filter((line) => line.answer().includes(' 408 ')).length;
    try {
      const addresses = Array.from({ length: 8 }, newAddress);
      await Promise.all(addresses.map((address) => Promise.all(Array.from({ length: 64 }, () => begin(address)))));
      expect(ended()).toBe(0);
      const last = await begin(newAddress());
      await expect.poll(ended).toBe(1);
      expect(last.answer()).not.toContain(' 408 ');
    } finally {
      for (const line of lines) line.socket.destroy();
    }
  });
});

it.each([
  ['nothing but <', '<'],
  ['tags that never end', '<a '],
  ['attributes that never end', '<img src="'],
  ['players that never end', '<iframe src='],
  ['comments that never end', '<!--'],
  ['tags that are never closed', '<p>'],
  ['handlers that are none', '<a on'],
  ['entities', '&nbsp;'],
  ['spaces', ' \n'],
  ['words of one letter', 'a '],
  ['one long word', 'a'],
  ['dashes', '- -'],
  ['players', '<iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ"></iframe>'],
])('text of %s is stored, truncated and displayed about as fast as prose (TM-29)', async (_, piece) => {
  const text = piece.repeat(60_000 / piece.length);
  const began = performance.now();
  const fields = { title: `T${piece.repeat(199 / piece.length)}`, description: text, impact: text, status: 'active' };
  const headers = { prefer: 'return=representation' };
  const stored = await clientOf(server).asService('/rest/v1/projects?select=id', { json: fields, headers });
  // Texts above 100 KB after sanitizing are rejected with 422.
  expect([201, 422]).toContain(stored.status);
  if (stored.status === 201) {
    const [{ id }] = (await stored.json()) as [{ id: string }];
    const signal = AbortSignal.timeout(20_000);
    for (const path of [`/case-studies/${id}`, '/case-studies', '/', '/feed.xml', '/case-studies?q=kettle'])
      expect((await request(path, newAddress(), { signal })).status, path).toBe(200);
  }
  expect(performance.now() - began).toBeLessThan(20_000);
});

const { promise: released, resolve: releaseCalls } = Promise.withResolvers<void>();
const gate = forAllTests(() => startHttpServer((_, response) => void released.then(() => response.end())));

/** Occupies all 32 slots of an address, which the rejection of the 33rd request shows. @returns a function that awaits all statuses */
async function takeAll(address: string): Promise<() => Promise<number[]>> {
  const statuses: number[] = [];
  const pending = Array.from({ length: 33 }, async () => {
    const body = JSON.stringify({ until: gate.url });
    const { status } = await request('/functions/v1/held', address, { method: 'POST', body });
    statuses.push(status);
  });
  await expect.poll(() => statuses.length).toBe(1);
  return () => Promise.all(pending).then(() => statuses);
}

it('request slots are limited to 32 per address and 256 in all; further requests wait two seconds, probes do not (threat model, section 8)', async () => {
  const [first, ...others] = Array.from({ length: 8 }, newAddress);
  const held = [await takeAll(first!)];
  const alone = await request('/about?one', first, { headers: { authorization: 'Bearer none' } });
  expect([alone.status, alone.headers.get('retry-after')]).toEqual([429, '1']);
  // The client would sign out after a refresh that is answered with 429.
  expect((await request('/auth/v1/token?grant_type=refresh_token', first, { method: 'POST' })).status).toBe(503);
  for (const address of others.slice(0, -1)) held.push(await takeAll(address));
  expect((await request('/about?two', newAddress(), { headers: { authorization: 'Bearer none' } })).status).toBe(200);
  held.push(await takeAll(others.at(-1)!));
  const began = performance.now();
  const rejected = await request('/about?three', newAddress(), { headers: { authorization: 'Bearer none' } });
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
  expect(performance.now() - began).toBeGreaterThan(1_900);
  for (const path of ['/health', '/ready']) expect((await request(path, first)).status).toBe(200);
  const waiting = request('/about?four', newAddress(), { headers: { authorization: 'Bearer none' } });
  releaseCalls();
  expect((await waiting).status).toBe(200);
  for (const all of held) expect((await all()).toSorted()).toEqual([...Array(32).fill(200), 429]);
  expect((await request('/about?five', first, { headers: { authorization: 'Bearer none' } })).status).toBe(200);
});
