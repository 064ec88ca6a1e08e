import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, png } from '../../packages/backend/tests/storage/files.ts';
import { measureSlowdown } from '../cpu-time.ts';
import { startMigratedPostgres } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { type Fault, openRelay } from '../programs/s3-relay.ts';
import { mountSmallDisk, smallDiskProblem } from '../programs/small-disk.ts';
import { findSwift, startSwift, type TestSwift } from '../programs/swift.ts';
import { failedStart, type RunningServer, startServer } from '../server.ts';
import { type Call, clientOf } from './client.ts';
import { beginUpload, progressOf, sendPiece } from './resumable-uploads.ts';

const withWarning = (reason: string) => ({ ready: true, problems: [], warnings: [{ part: 'store', reason }] });
const UNAVAILABLE = withWarning('S3 unreachable: files unavailable until it responds');
const FULL = withWarning('S3 accepts no writes: uploads disabled');

let swift: TestSwift;
beforeAll(async () => {
  if (findSwift()) swift = await startSwift();
});
afterAll(() => swift?.stop());

describe.skipIf(!findSwift())('a server with its files in S3', () => {
  const large = randomBytes(3 * 1024 ** 2);
  let settings: Record<string, string>;
  const relay = forAllTests(() => openRelay(swift.url));
  let server: RunningServer;
  beforeAll(async () => {
    settings = { SEED: 'none', ...(await swift.settings()), S3_URL: relay.url };
    server = await startServer(settings);
    await clientOf(server).createBucket('papers');
    expect((await upload('papers/large', large)).status).toBe(200);
  });
  afterEach(() => {
    relay.fault = null;
  });
  afterAll(() => server?.stop());

  const request = (path: string, call?: Call) => clientOf(server).asService(path, call);
  const upload = (name: string, bytes: Uint8Array, type = 'application/octet-stream') =>
    request(`/storage/v1/object/${name}`, { method: 'POST', body: fileOf(bytes, type) });
  const uploadTwelve = () =>
    Promise.all(Array.from({ length: 12 }, () => upload(`papers/${randomUUID()}`, randomBytes(1000))));
  const shown = (name: string, call?: Call) => request(`/storage/v1/object/public/${name}`, call);
  const rows = async () => {
    const response = await request('/storage/v1/object/list/papers', { json: { prefix: '', limit: 1000 } });
    return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort();
  };
  /** Waits until an upload succeeds. @returns milliseconds */
  const back = async () => {
    const begun = performance.now();
    await expect.poll(async () => (await upload(`papers/${randomUUID()}`, randomBytes(10))).status).toBe(200);
    return performance.now() - begun;
  };

  it('sends one S3 request for an existing picture, and never a list request', async () => {
    const name = `case-studies/images/${randomUUID()}.png`;
    expect((await upload(name, await png(700, 500), 'image/png')).status).toBe(200);
    const view = () => request(`/storage/v1/render/image/public/${name}?width=640&format=webp`);
    const first = await view();
    expect(first.status).toBe(200);
    const made = await first.arrayBuffer();
    // Without those for the assets of the release, which are uploaded ten seconds after the start.
    const requests = () => relay.requests.filter((line) => !/assets(\/|%2F)/.test(line));
    const newRequests = async () => {
      relay.requests.length = 0;
      await new Promise((quiet) => setTimeout(quiet, 700));
      return requests().length;
    };
    await expect.poll(newRequests).toBe(0);
    relay.requests.length = 0;
    expect(Buffer.from(await (await view()).arrayBuffer()).equals(Buffer.from(made))).toBe(true);
    expect(requests()).toEqual([expect.stringMatching(/^GET \/[^?]+\/640-webp$/)]);
    relay.requests.length = 0;
    expect((await shown(name)).status).toBe(200);
    expect(requests()).toEqual([expect.stringMatching(/^GET \/[^?]+\/original$/)]);
  });

  it('serves files of a read-only bucket, and reports that it rejects writes', async () => {
    const name = `case-studies/images/${randomUUID()}.png`;
    expect((await upload(name, await png(300, 200), 'image/png')).status).toBe(200);
    relay.fault = 'read-only';
    const refused = await uploadTwelve();
    expect(refused.map(({ status }) => status)).toEqual(Array(12).fill(503));
    for (const response of refused) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const ready = await fetch(`${server.base}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, FULL]);
    for (let attempt = 0; attempt < 5; attempt++) expect((await shown('papers/large')).status).toBe(200);
    // A new variant is rendered but not stored.
    expect((await request(`/storage/v1/render/image/public/${name}?width=640&format=origin`)).status).toBe(200);
    const failure = await failedStart({ ...settings, ...(await swift.settings()), S3_URL: relay.url });
    expect(failure).toMatch(/ failed to write an object: 403 Refused\./);
    relay.fault = null;
    expect(await back()).toBeLessThan(5_000);
    expect((await (await fetch(`${server.base}/ready`)).json()).warnings).toEqual([]);
  });

  it.each<Fault>(['away', 'hangs', 500, 503, 403])(
    'rejects uploads while S3 is %s and stores none of them, serves pages and data, and recovers within 5 s',
    async (fault) => {
      const before = await rows();
      const away = [503, true, 'File storage is temporarily unavailable; try again.'];
      const piece = randomBytes(1000);
      const client = clientOf(server);
      const begun = await beginUpload(client, { bucketName: 'papers', objectName: randomUUID() }, piece.length);
      relay.fault = fault;
      const stopped = await sendPiece(client, begun, 0, piece);
      expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await progressOf(client, begun)).headers.get('upload-offset')).toBe('0');
      // Enough failures to open the circuit breaker, so that the probe must close it.
      for (const response of await uploadTwelve()) {
        const { message } = await response.json();
        expect([response.status, Number(response.headers.get('retry-after')) > 0, message]).toEqual(away);
      }
      const slowdown = measureSlowdown();
      const at = performance.now();
      expect((await upload('papers/at-once', randomBytes(1000))).status).toBe(503);
      expect(performance.now() - at).toBeLessThan(1_000 * slowdown());
      expect((await shown('papers/large')).status).toBe(503);
      expect((await fetch(server.base)).status).toBe(200);
      expect((await request('/rest/v1/projects?select=id&limit=1')).status).toBe(200);
      const ready = await fetch(`${server.base}/ready`);
      // A refused write alone does not mark S3 as unreachable.
      expect([ready.status, await ready.json()]).toEqual([200, fault === 403 ? FULL : UNAVAILABLE]);
      expect(await rows()).toEqual(before);
      relay.fault = null;
      expect(await back()).toBeLessThan(5_000);
      expect(await (await fetch(`${server.base}/ready`)).json()).toMatchObject({ ready: true, warnings: [] });
      expect((await sendPiece(client, begun, 0, piece)).status).toBe(204);
    },
  );

  it('stores link previews in S3, drawn once', async () => {
    const page = await (await fetch(server.base)).text();
    const { pathname } = new URL(/property="og:image" content="([^"]+)"/.exec(page)![1]!);
    const drawn = await fetch(server.base + pathname);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(relay.requests.filter((line) => /^PUT .*\/social\/[^/]+\.jpg$/.test(line))).toHaveLength(1);
    const again = await fetch(`${server.base}${pathname}?`, { headers: { 'cache-control': 'no-cache' } });
    expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(await drawn.arrayBuffer()))).toBe(true);
    expect(relay.requests.filter((line) => /^PUT .*\/social\//.test(line))).toHaveLength(1);
  });

  it('waits for a slow S3', async () => {
    relay.fault = 'slow';
    const response = await upload('papers/slow', randomBytes(1000));
    relay.fault = null;
    expect(response.status).toBe(200);
    expect((await shown('papers/slow')).status).toBe(200);
  });

  it.each<Fault>(['cut', 'short', 'long'])('never passes off as whole what S3 sends %s', async (fault) => {
    const small = randomBytes(20_000);
    const name = `papers/${randomUUID()}`;
    expect((await upload(name, small)).status).toBe(200);
    relay.fault = fault;
    for (const [key, bytes] of [
      [name, small],
      ['papers/large', large],
    ] as const)
      for (const init of [{}, { headers: { range: 'bytes=5-' } }]) {
        const outcome = await shown(key, init)
          .then(async (response) => ({ status: response.status, body: Buffer.from(await response.arrayBuffer()) }))
          .catch(() => null);
        // Rejected, truncated for the client, or correct.
        if (outcome && outcome.status < 300)
          expect(outcome.body.equals(bytes.subarray('headers' in init ? 5 : 0)), `${fault} ${key}`).toBe(true);
        else if (outcome) expect(outcome.status).toBe(503);
      }
    relay.fault = null;
    expect(await back()).toBeLessThan(5_000);
    expect(Buffer.from(await (await shown('papers/large')).arrayBuffer()).equals(large)).toBe(true);
  });

  it('grows by less than 100 MB while 200 requests wait for an S3 that hangs', async () => {
    const memory = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))![1]) / 1024;
    await upload('papers/waited-for', randomBytes(5 * 1024 ** 2));
    await (await shown('papers/waited-for')).arrayBuffer();
    const before = memory();
    relay.fault = 'hangs';
    const bytes = randomBytes(5 * 1024 ** 2);
    const all = Array.from({ length: 200 }, async (_, at) => {
      const sent = at % 8 ? shown('papers/waited-for') : upload(`papers/${randomUUID()}`, bytes);
      return (await sent).status;
    });
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, memory());
    }, 50);
    const statuses = await Promise.all(all);
    clearInterval(watching);
    relay.fault = null;
    // Beyond the limit of pending uploads a new one is rejected before its body is read.
    expect(statuses.every((status) => [503, 429].includes(status))).toBe(true);
    expect(most - before).toBeLessThan(100);
    expect(await back()).toBeLessThan(5_000);
  });

  it('starts while S3 is unreachable, with a prefix in a used bucket, and becomes ready when it responds', async () => {
    relay.fault = 'away';
    // With its own prefix it may use the same bucket.
    const own = await startServer({ ...settings, S3_PREFIX: 'second' });
    try {
      expect(await (await fetch(`${own.base}/ready`)).json()).toEqual(UNAVAILABLE);
      expect((await fetch(own.base)).status).toBe(200);
      relay.fault = null;
      await expect.poll(async () => (await fetch(`${own.base}/ready`)).json()).toMatchObject({ warnings: [] });
    } finally {
      relay.fault = null;
      await own.stop();
    }
  });

  it('rejects with one line a bucket that belongs to another installation, is missing or is not accessible', async () => {
    const missing = /The bucket "tests-nowhere" of \S+ cannot be used: failed to read an object: 404 NoSuchBucket\./;
    const refusals: [own: Record<string, string>, words: RegExp][] = [
      [{}, /The bucket "tests-[^"]+" of \S+ belongs to another installation\. Name another S3_BUCKET or S3_PREFIX\./],
      [{ S3_BUCKET: 'tests-nowhere' }, missing],
      [{ S3_SECRET_ACCESS_KEY: 'wrong' }, /cannot be used: failed to read an object: 403 SignatureDoesNotMatch\./],
    ];
    for (const [own, words] of refusals) expect(await failedStart({ ...settings, ...own })).toMatch(words);
  });
});

describe.skipIf(!findSwift() || smallDiskProblem !== null)('a server with its files in S3 and a full disk', () => {
  const disk = forAllTests(() => mountSmallDisk(200));
  const postgres = forAllTests(startMigratedPostgres);
  let server: RunningServer;
  beforeAll(async () => {
    const settings = { SEED: 'none', ...(await swift.settings()), DATABASE_URL: postgres.url, DISK_RESERVE_MB: '64' };
    server = await startServer(settings, disk.folder, { launcher: disk.launcher });
  });
  afterAll(() => server?.stop({ keep: true }));

  it('rejects files, whose temporary copy finds no place, and serves everything else', async () => {
    const picture = await png(60, 40);
    const upload = async () => {
      const path = `/storage/v1/object/case-studies/images/${randomUUID()}.png`;
      const client = clientOf({ base: server.base, dataDir: disk.path() });
      const response = await client.asService(path, { method: 'POST', body: fileOf(picture, 'image/png') });
      return { status: response.status, text: await response.text() };
    };
    const warnings = async () => (await (await fetch(`${server.base}/ready`)).json()).warnings;
    disk.fill();
    const refused = { status: 507, text: expect.stringContaining('The server is out of disk space.') };
    await expect.poll(upload).toEqual(refused);
    expect((await fetch(`${server.base}/case-studies?q=${randomUUID()}`)).status).toBe(200);
    // An upload fails on the full disk immediately; free space is measured once a second.
    await expect.poll(warnings).toEqual([{ part: 'disk', reason: expect.stringContaining('uploads refused') }]);
    disk.drain();
    await expect.poll(async () => (await upload()).status).toBe(200);
    expect(await warnings()).toEqual([]);
  });
});
