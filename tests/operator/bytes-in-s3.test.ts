import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { heavyJpeg, png, uploadMetadata } from '../../packages/backend/tests/storage/files.ts';
import { measureSlowdown } from '../cpu-time.ts';
import { startMigratedPostgres } from '../database.ts';
import type { TestPostgres } from '../programs/postgres.ts';
import { type Fault, openRelay, type S3Relay } from '../programs/s3-relay.ts';
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from '../programs/small-disk.ts';
import { findSwift, startSwift, type TestSwift } from '../programs/swift.ts';
import { type RunningServer, startServer } from '../server.ts';

const KEYS = {
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_tests_of_s3',
  SUPABASE_SECRET_KEY: 'sb_secret_of_the_tests_of_s3_long_enough',
  SEED: 'none',
};
const UNAVAILABLE = {
  ready: true,
  problems: [],
  warnings: [{ part: 'store', reason: 'S3 unreachable: files unavailable until it responds' }],
};
const FULL = { ...UNAVAILABLE, warnings: [{ part: 'store', reason: 'S3 accepts no writes: uploads disabled' }] };
const JSON_TYPE = { 'content-type': 'application/json' };
const asService = { apikey: KEYS.SUPABASE_SECRET_KEY, authorization: `Bearer ${KEYS.SUPABASE_SECRET_KEY}` };

let swift: TestSwift;
beforeAll(async () => {
  if (findSwift()) swift = await startSwift();
});
afterAll(() => swift?.stop());

describe.skipIf(!findSwift())('a server with its files in S3', () => {
  const large = randomBytes(3 * 1024 ** 2);
  let settings: Record<string, string>;
  let relay: S3Relay;
  let server: RunningServer;
  beforeAll(async () => {
    relay = await openRelay(swift.url);
    settings = { ...KEYS, ...(await swift.settings()), S3_URL: relay.url };
    server = await startServer(settings);
    const made = await request('/storage/v1/bucket', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ name: 'papers', public: true, file_size_limit: '10MB' }),
    });
    expect(made.status).toBe(200);
    expect((await upload('papers/large', large)).status).toBe(200);
  });
  afterEach(() => {
    relay.fault = null;
  });
  afterAll(async () => {
    await server?.stop();
    await relay?.close();
  });

  const request = (path: string, init: RequestInit = {}) =>
    fetch(server.base + path, { ...init, headers: { ...asService, ...init.headers } });
  const upload = (name: string, bytes: Uint8Array, type = 'application/octet-stream') =>
    request(`/storage/v1/object/${name}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    });
  const shown = (name: string, init?: RequestInit) => request(`/storage/v1/object/public/${name}`, init);
  const rows = async () => {
    const response = await request('/storage/v1/object/list/papers', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ prefix: '', limit: 1000 }),
    });
    return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort();
  };
  const tus = (path: string, method: string, headers: Record<string, string>, body?: Uint8Array) =>
    request(path, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
  /** Creates a resumable upload. @returns its path */
  const begin = async (bucket: string, name: string, length: number) => {
    const metadata = uploadMetadata({ bucketName: bucket, objectName: name });
    const headers = { 'upload-length': String(length), 'upload-metadata': metadata };
    const created = await tus('/storage/v1/upload/resumable', 'POST', headers);
    return new URL(created.headers.get('location')!).pathname;
  };
  const offsetOf = async (path: string) => (await tus(path, 'HEAD', {})).headers.get('upload-offset');
  const patch = (path: string, offset: number, bytes: Uint8Array) =>
    tus(path, 'PATCH', { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }, bytes);
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
    const [first] = [await view()];
    expect(first!.status).toBe(200);
    const made = await first!.arrayBuffer();
    await expect
      .poll(async () => {
        const before = relay.requests.length;
        await new Promise((quiet) => setTimeout(quiet, 700));
        return relay.requests.length - before;
      })
      .toBe(0);
    relay.requests.length = 0;
    const again = await view();
    expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(made))).toBe(true);
    expect(relay.requests).toEqual([expect.stringMatching(/^GET \/[^?]+\/640-webp$/)]);
    relay.requests.length = 0;
    expect((await shown(name)).status).toBe(200);
    expect(relay.requests).toEqual([expect.stringMatching(/^GET \/[^?]+\/original$/)]);
  });

  it('streams ranges of large files without buffering them', async () => {
    const bytes = large;
    const whole = await shown('papers/large');
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    for (const [from, to] of [
      [0, 99],
      [100_000, 1_200_000],
      [2_900_000, 3_000_000],
      [0, bytes.length - 1],
    ] as const) {
      const part = await shown('papers/large', { headers: { range: `bytes=${from}-${to}` } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${bytes.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to + 1)), `${from}`).toBe(true);
    }
  });

  it('serves files of a read-only bucket, and reports that it rejects writes', async () => {
    const name = `case-studies/images/${randomUUID()}.png`;
    expect((await upload(name, await png(300, 200), 'image/png')).status).toBe(200);
    relay.fault = 'read-only';
    const refused = await Promise.all(
      Array.from({ length: 12 }, () => upload(`papers/${randomUUID()}`, randomBytes(1000))),
    );
    expect(refused.map(({ status }) => status)).toEqual(Array(12).fill(503));
    for (const response of refused) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const ready = await fetch(`${server.base}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, FULL]);
    for (let attempt = 0; attempt < 5; attempt++) expect((await shown('papers/large')).status).toBe(200);
    // A new variant is rendered but not stored.
    expect((await request(`/storage/v1/render/image/public/${name}?width=640&format=origin`)).status).toBe(200);
    const start = startServer({ ...settings, ...(await swift.settings()), S3_URL: relay.url });
    await expect(start).rejects.toThrow(
      /^The server exited with code 1:\nCannot start: .* failed to write an object: 403 Refused\./,
    );
    relay.fault = null;
    expect(await back()).toBeLessThan(5_000);
    expect((await (await fetch(`${server.base}/ready`)).json()).warnings).toEqual([]);
  });

  it.each<Fault>(['away', 'hangs', 500, 503, 403])(
    'rejects uploads while S3 is %s and stores none of them, serves pages and data, and recovers within 5 s',
    async (fault) => {
      const before = await rows();
      const piece = randomBytes(1000);
      const begun = await begin('papers', randomUUID(), piece.length);
      relay.fault = fault;
      const stopped = await patch(begun, 0, piece);
      expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await offsetOf(begun)).toBe('0');
      // Enough failures to open the circuit breaker, so that the probe must close it.
      const refused = await Promise.all(
        Array.from({ length: 12 }, () => upload(`papers/${randomUUID()}`, randomBytes(1000))),
      );
      for (const response of refused)
        expect([
          response.status,
          Number(response.headers.get('retry-after')) > 0,
          (await response.json()).message,
        ]).toEqual([503, true, 'File storage is temporarily unavailable; try again.']);
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
      expect((await patch(begun, 0, piece)).status).toBe(204);
    },
  );

  it('stores link previews in S3, drawn once', async () => {
    const page = await (await fetch(server.base)).text();
    const { pathname } = new URL(/property="og:image" content="([^"]+)"/.exec(page)![1]!);
    const drawn = await fetch(server.base + pathname);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const kept = relay.requests.filter((line) => /^PUT .*\/social\/[^/]+\.jpg$/.test(line));
    expect(kept).toHaveLength(1);
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
    const memory = () => {
      const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
    };
    await upload('papers/waited-for', randomBytes(5 * 1024 ** 2));
    await (await shown('papers/waited-for')).arrayBuffer();
    const before = memory();
    relay.fault = 'hangs';
    const bytes = randomBytes(5 * 1024 ** 2);
    const all = Array.from({ length: 200 }, (_, at) =>
      (at % 8 ? shown('papers/waited-for') : upload(`papers/${randomUUID()}`, bytes)).then(
        (response) => response.status,
      ),
    );
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
      await expect
        .poll(async () => (await fetch(`${own.base}/ready`)).json(), { timeout: 5_000 })
        .toMatchObject({ warnings: [] });
    } finally {
      relay.fault = null;
      await own.stop();
    }
  });

  it('rejects with one line a bucket that belongs to another installation, is missing or is not accessible', async () => {
    const invalid: Record<string, string>[] = [{}, { S3_BUCKET: 'tests-nowhere' }, { S3_SECRET_ACCESS_KEY: 'wrong' }];
    const refusals = await Promise.all(
      invalid.map((own) =>
        startServer({ ...settings, ...own }).then(
          () => 'It started',
          (error: Error) => error.message,
        ),
      ),
    );
    for (const [at, words] of [
      /The bucket "tests-[^"]+" of \S+ belongs to another installation\. Name another S3_BUCKET or S3_PREFIX\./,
      /The bucket "tests-nowhere" of \S+ cannot be used: failed to read an object: 404 NoSuchBucket\./,
      /cannot be used: failed to read an object: 403 SignatureDoesNotMatch\./,
    ].entries())
      expect(refusals[at]).toMatch(words);
    for (const refusal of refusals) expect(refusal).not.toMatch(/^ +at /m);
  });
});

describe.skipIf(!findSwift())('two machines on one database and one bucket', () => {
  let postgres: TestPostgres;
  /** Proxy between the last machine and the bucket. */
  let relay: S3Relay;
  /** Disk for the temporary files of the last machine. */
  let disk: SmallDisk | null = null;
  let machines: RunningServer[] = [];
  let picture: Buffer;
  beforeAll(async () => {
    picture = await png(60, 40);
    postgres = await startMigratedPostgres();
    relay = await openRelay(swift.url);
    if (!smallDiskProblem) disk = await mountSmallDisk(200);
    const settings = { ...KEYS, ...(await swift.settings()), DATABASE_URL: postgres.url, DISK_RESERVE_MB: '64' };
    machines = [await startServer(settings)];
    const last = { ...settings, KEYS_FILE: join(machines[0]!.dataDir, 'keys.json'), S3_URL: relay.url };
    machines.push(await startServer(last, disk?.folder, { launcher: disk?.launcher ?? [] }));
  });
  afterAll(async () => {
    for (const machine of machines) await machine.stop({ keep: machine.dataDir === disk?.folder });
    await disk?.end();
    await relay?.close();
    await postgres?.stop();
  });

  const upload = ({ base }: RunningServer) =>
    fetch(`${base}/storage/v1/object/case-studies/images/${randomUUID()}.png`, {
      method: 'POST',
      headers: { ...asService, 'content-type': 'image/png' },
      body: new Uint8Array(picture),
    });
  /** Checks all requests except files on each machine. */
  const expectOtherRequests = async () => {
    for (const { base } of machines) {
      expect((await fetch(`${base}/case-studies?q=${randomUUID()}`)).status).toBe(200);
      const headers = { ...asService, ...JSON_TYPE, prefer: 'resolution=merge-duplicates' };
      const body = JSON.stringify({ name: 'city', value: randomUUID() });
      const written = await fetch(`${base}/rest/v1/site_settings?on_conflict=name`, { method: 'POST', headers, body });
      expect(written.status).toBeLessThan(300);
    }
  };
  const warnings = async ({ base }: RunningServer) => (await (await fetch(`${base}/ready`)).json()).warnings;
  it('receive the pieces of one upload, and each serves it unchanged', async () => {
    const name = `images/${randomUUID()}.jpg`;
    const bytes = await heavyJpeg(2);
    const headers = { ...asService, 'tus-resumable': '1.0.0' };
    const metadata = { bucketName: 'case-studies', objectName: name, contentType: 'image/jpeg' };
    const created = await fetch(`${machines[0]!.base}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': String(bytes.length),
        'upload-metadata': uploadMetadata(metadata),
      },
    });
    const { pathname } = new URL(created.headers.get('location')!);
    const cuts = [0, 1_000_000, bytes.length];
    for (const [at, { base }] of machines.entries()) {
      const offset = (await fetch(base + pathname, { method: 'HEAD', headers })).headers.get('upload-offset');
      expect(offset).toBe(String(cuts[at]));
      const sent = await fetch(base + pathname, {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': offset!, 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(bytes.subarray(cuts[at], cuts[at + 1])),
      });
      expect(sent.status).toBe(204);
    }
    const views = await Promise.all(
      machines.map(async ({ base }) =>
        Buffer.from(
          await (await fetch(`${base}/storage/v1/object/public/case-studies/${name}`)).arrayBuffer(),
        ).toString('base64'),
      ),
    );
    expect(new Set(views).size).toBe(1);
    expect(views[0]!.length).toBeGreaterThan(100_000);
  });

  it.each<Fault>(['away', 'hangs'])(
    'continue when one loses its connection to S3 (%s): it reports that and recovers',
    async (fault) => {
      const [first, last] = machines;
      relay.fault = fault;
      const responses = await Promise.all(Array.from({ length: 12 }, () => upload(last!)));
      for (const response of responses)
        expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
      expect((await upload(first!)).status).toBe(200);
      await expectOtherRequests();
      expect([await warnings(first!), await warnings(last!)]).toEqual([[], UNAVAILABLE.warnings]);
      relay.fault = null;
      await expect.poll(async () => (await upload(last!)).status, { timeout: 10_000 }).toBe(200);
      expect(await warnings(last!)).toEqual([]);
    },
  );

  it.skipIf(smallDiskProblem !== null)(
    'continue when the disk of one is full: it rejects files and serves everything else',
    async () => {
      const [first, last] = machines;
      disk!.fill();
      const refused = { status: 507, text: expect.stringContaining('The server is out of disk space.') };
      await expect
        .poll(async () => {
          const response = await upload(last!);
          return { status: response.status, text: await response.text() };
        })
        .toEqual(refused);
      expect((await upload(first!)).status).toBe(200);
      await expectOtherRequests();
      // An upload fails on the full disk immediately; free space is measured once a second.
      await expect
        .poll(async () => [await warnings(first!), await warnings(last!)])
        .toEqual([[], [{ part: 'disk', reason: 'uploads refused: less than 66 MB free' }]]);
      disk!.drain();
      await expect.poll(async () => (await upload(last!)).status).toBe(200);
    },
  );
});
