import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setInterval as every } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { newAddress, type RunningServer, startServerOnPostgres } from '../../server.ts';
import { clientOf } from '../client.ts';
import { beginUpload, openConnection, type RawConnection, requestHeader } from './slow-sockets.ts';

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' }));
const client = clientOf(server);
beforeAll(() => client.createBucket('files'));

/** Seconds until the server closes the connection, and the received bytes. */
async function untilClosed(line: RawConnection) {
  const start = performance.now();
  const response = await line.closed;
  return { seconds: (performance.now() - start) / 1000, answer: response };
}

/** Sends `bytes` bytes every second until the connection is closed or all pieces are sent. */
async function drip(line: RawConnection, bytes: number, pieces: number): Promise<void> {
  const end = new AbortController();
  void line.closed.then(() => end.abort());
  let piece = 0;
  try {
    for await (const _ of every(1_000, undefined, { signal: end.signal })) {
      if (piece++ === pieces) return;
      line.socket.write('x'.repeat(bytes));
    }
  } catch {
    // The connection was closed meanwhile.
  }
}

const begin = (name: string, bytes: number) =>
  beginUpload(server.base, name, bytes, { apikey: client.secret, Connection: 'close' });

const openOf = ({ process: { pid } }: RunningServer) => readdirSync(`/proc/${pid}/fd`).length;

describe('time limits (threat model, section 8)', () => {
  it.concurrent('end an incomplete request header after 10 s (H2)', async () => {
    const line = openConnection(server.base, 'GET / HTTP/1.1\r\nHost: a\r\n');
    const start = performance.now();
    expect((await line).answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect((performance.now() - start) / 1000).toBeGreaterThan(9);
    expect((performance.now() - start) / 1000).toBeLessThan(25);
  });

  it.concurrent('end an incomplete body after 30 s even if bytes keep arriving (H2)', async () => {
    const headers = { 'Content-Length': 900, Expect: '100-continue' };
    const line = await openConnection(server.base, requestHeader('POST /rest/v1/rpc/is_admin', newAddress(), headers));
    void drip(line, 1, 900);
    const { seconds, answer: response } = await untilClosed(line);
    expect(response).toContain('HTTP/1.1 408 ');
    expect(response).toContain('Connection: close');
    expect(seconds).toBeGreaterThan(28);
    expect(seconds).toBeLessThan(60);
  });

  it.concurrent('end an upload below 1 KB per second after 30 s (H2)', async () => {
    const line = await begin('slower.bin', 100_000);
    void drip(line, 300, 900);
    const { seconds, answer: response } = await untilClosed(line);
    expect(response).toContain('HTTP/1.1 408 ');
    expect(seconds).toBeGreaterThan(28);
    expect(seconds).toBeLessThan(60);
    expect((await fetch(`${server.base}/storage/v1/object/public/files/slower.bin`)).status).toBe(400);
    expect(server.output()).not.toContain('"level":50');
  });

  it.concurrent('accept an upload from a slow phone (H2)', async () => {
    const line = await begin('phone.bin', 40 * 2_500);
    const closed = untilClosed(line);
    void drip(line, 2_500, 40);
    const { seconds, answer: response } = await closed;
    expect(response).toContain('HTTP/1.1 200 ');
    expect(seconds).toBeGreaterThan(38);
    const stored = await fetch(`${server.base}/storage/v1/object/public/files/phone.bin`);
    expect((await stored.arrayBuffer()).byteLength).toBe(40 * 2_500);
  });

  it.concurrent('end an upload after 120 s at any rate (section 8)', async () => {
    const line = await begin('endless.bin', 9_000_000);
    void drip(line, 5_000, 900);
    const { seconds, answer: response } = await untilClosed(line);
    expect(response).toContain('HTTP/1.1 408 ');
    expect(seconds).toBeGreaterThan(115);
    expect(seconds).toBeLessThan(300);
  });

  it.concurrent('end a connection without a request after 60 s (section 8)', async () => {
    const line = await openConnection(server.base, requestHeader('GET /health', newAddress()));
    const { seconds, answer } = await untilClosed(line);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThan(200);
  });

  it.skipIf(process.platform !== 'linux')(
    'end a response that the client does not read for 30 s, and close its file (C5)',
    { concurrent: true },
    async ({ expect }) => {
      const headers = { apikey: client.secret, 'content-type': 'application/octet-stream' };
      const init = { method: 'POST', headers, body: new Uint8Array(9_000_000) };
      expect((await fetch(`${server.base}/storage/v1/object/files/nine.bin`, init)).status).toBe(200);
      const before = openOf(server);
      const lines: RawConnection[] = [];
      for (let at = 0; at < 50; at++) {
        const header = requestHeader('GET /storage/v1/object/public/files/nine.bin', newAddress());
        const line = await openConnection(server.base, header);
        line.socket.pause();
        lines.push(line);
      }
      expect(openOf(server)).toBeGreaterThan(before + 90);
      await expect.poll(() => openOf(server), { timeout: 90_000 }).toBeLessThan(before + 20);
      const [first] = lines;
      first!.socket.resume();
      expect((await first!.closed).length).toBeLessThan(9_000_000);
      for (const line of lines) line.socket.destroy();
    },
  );
});
