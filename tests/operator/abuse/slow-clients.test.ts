import { setInterval as every } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { fileOf } from '../../../packages/backend/tests/storage/files.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { startServerOnPostgres } from '../../server.ts';
import { clientOf } from '../client.ts';
import { measureRequests, openConnection, p95, type RawConnection, requestHeader } from './slow-sockets.ts';

const ROUNDS = 20;
/** Far more than a busy machine takes, far less than the 30 s after which slow clients are disconnected, in ms. */
const DELAYED = 5_000;
const ACCOUNT = { email: 'first@madhouse.example', password: 'a-long-walk-by-the-sea' };

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' }));
const client = clientOf(server);
beforeAll(() => client.createUser(ACCOUNT));

/** Sends ordinary requests from other addresses while the slow clients are connected. */
async function expectOthersUndisturbed() {
  let page = 0;
  const kinds = {
    'a page that is not kept': () => client.send(`/case-studies?q=uncached-${page++}`),
    'a call': () => client.send('/rest/v1/rpc/is_admin', { json: {} }),
    'a sign-in': () => client.send('/auth/v1/token?grant_type=password', { json: ACCOUNT }),
    '/health': () => client.send('/health'),
    '/ready': () => client.send('/ready'),
  };
  for (const [kind, request] of Object.entries(kinds))
    expect(p95(await measureRequests(ROUNDS, request)), kind).toBeLessThan(DELAYED);
}

/** Starts a request with a body of 900 bytes and sends only the first, once the server waits for the body. */
async function beginCall(address: string): Promise<RawConnection> {
  const headers = { 'Content-Length': 900, Expect: '100-continue' };
  const line = await openConnection(server.base, requestHeader('POST /rest/v1/rpc/is_admin', address, headers));
  line.socket.write('{');
  return line;
}

const standing = (lines: readonly RawConnection[]) => lines.filter((line) => line.isOpen()).length;

it('256 slow senders from four addresses, 64 from one and a full /56 network delay no other client (TM-45, H2)', async () => {
  const senders: RawConnection[] = [];
  const stop = new AbortController();
  try {
    for (let address = 1; address <= 5; address++)
      for (let time = 0; time < 64; time++) senders.push(await beginCall(`203.0.113.${address}`));
    // All 256 /64 networks of a /56, which count as one address.
    const network: RawConnection[] = [];
    for (let sub = 0; sub < 256; sub++)
      network.push(await beginCall(`2001:db8:1:ab${sub.toString(16).padStart(2, '0')}::1`));
    await expect.poll(() => standing(network)).toBe(64);
    expect(network[0]!.answer()).toContain('HTTP/1.1 408 ');
    expect(standing(senders)).toBe(320);

    // The senders continue as slowly as possible, and reconnect when closed after 30 s.
    const sending = (async () => {
      for await (const _ of every(1_000, undefined, { signal: stop.signal }))
        for (const [at, line] of senders.entries()) {
          if (line.isOpen()) line.socket.write(' ');
          else senders[at] = await beginCall(`203.0.113.${1 + (at >> 6)}`);
        }
    })().catch(() => {});
    await expectOthersUndisturbed();
    await expect.poll(() => standing(senders)).toBeGreaterThan(256);
    stop.abort();
    await sending;
    for (const line of network) line.socket.destroy();
  } finally {
    stop.abort();
    for (const line of senders) line.socket.destroy();
  }
});

it('320 clients that read nothing of a 9 MB response delay no other client (TM-45, C5)', async () => {
  await client.createBucket('large');
  const body = fileOf(new Uint8Array(9_000_000), 'application/octet-stream');
  expect((await client.asService('/storage/v1/object/large/nine.bin', { method: 'POST', body })).status).toBe(200);
  const readers: RawConnection[] = [];
  try {
    for (let at = 0; at < 320; at++) {
      const header = requestHeader('GET /storage/v1/object/public/large/nine.bin', `198.51.100.${1 + (at >> 6)}`);
      const line = await openConnection(server.base, header);
      line.socket.pause();
      readers.push(line);
    }
    // Before the measurement, because the server ends readers after 30 s: one that resumes gets the complete response.
    readers[0]!.socket.resume();
    await expect.poll(() => readers[0]!.answer().length).toBeGreaterThan(9_000_000);
    await expectOthersUndisturbed();
  } finally {
    for (const line of readers) line.socket.destroy();
  }
});
