import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endlessJpeg, fileOf, newPath, png } from '../../../packages/backend/tests/storage/files.ts';
import { childrenOf, commandOf, cpuSecondsOf } from '../../child-processes.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServerOnPostgres } from '../../server.ts';

/** Maximum ratio of another visitor's response time during malicious uploads to that during harmless ones of the same size. */
const MAX_DELAY = { factor: 3, ms: 1_500 };

let server: RunningServer;
let key: string;
beforeAll(async () => {
  server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' });
  key = await publishableKeyOf(server.base);
});
afterAll(() => server?.stop({ signal: 'SIGKILL' }));

const upload = (bytes: Uint8Array, extension = 'png') =>
  fetch(`${server.base}/storage/v1/object/case-studies/${newPath(extension)}`, {
    method: 'POST',
    headers: { apikey: key, 'x-forwarded-for': newAddress() },
    body: fileOf(bytes, `image/${extension === 'jpg' ? 'jpeg' : extension}`),
  });

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  return Buffer.concat([u32(body.length + 4), body]);
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

const CBOR_CONTENT = Buffer.from('63626f7200110010800000aa00389b71', 'hex');
const described = (label: string) => box('jumd', CBOR_CONTENT, Buffer.from(`\x03${label}\0`, 'latin1'));

/** A PNG of 8 × 8 pixels with an extra chunk; content credentials are in chunks named `caBX`. */
async function withChunk(content: Buffer, name = 'caBX'): Promise<Buffer> {
  const picture = await png(8, 8);
  const named = Buffer.concat([Buffer.from(name), content]);
  const chunk = Buffer.concat([u32(content.length), named, u32(crc32(named))]);
  // After the signature and the first chunk.
  return Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]);
}

/** Upload time of a small picture while four guests upload these bytes, whose responses must have a status of `statuses`. */
async function delayBeside(bytes: Buffer, extension = 'png', statuses = [200]): Promise<number> {
  const others = Array.from({ length: 4 }, () => upload(bytes, extension));
  await sleep(1_000);
  const start = performance.now();
  expect((await upload(await png())).status).toBe(200);
  const delay = performance.now() - start;
  for (const { status } of await Promise.all(others)) expect(statuses).toContain(status);
  return delay;
}

async function animatedWebp(frames: number): Promise<Buffer> {
  const whole = await sharp(Buffer.from([0, 0, 0, 255, 255, 255]), {
    raw: { width: 1, height: 2, channels: 3, pageHeight: 1 },
  })
    .webp({ lossless: true })
    .toBuffer();
  const start = whole.indexOf('ANMF');
  const frame = whole.subarray(start, start + 8 + whole.readUInt32LE(start + 4));
  const bytes = Buffer.concat([whole.subarray(0, start), ...Array<Buffer>(frames).fill(frame)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

const decoders = (): number[] =>
  childrenOf(server.process.pid!).filter((pid) => commandOf(pid).includes('decoder-worker'));

/** About 5 MB of CBOR that decode to far more memory: 900,000 empty arrays, then a map of 705,000 large keys. */
function heavyCbor(): Buffer {
  const pairs = Buffer.alloc(705_000 * 6);
  for (let n = 0; n < 705_000; n++) {
    pairs[n * 6] = 0x1a;
    pairs.writeUInt32BE(2 ** 31 + n * 3, n * 6 + 1);
    pairs[n * 6 + 5] = 0xf6;
  }
  return Buffer.concat([
    box('cbor', Buffer.from([0x9a]), u32(900_000), Buffer.alloc(900_000, 0x80)),
    box('cbor', Buffer.from([0xba]), u32(705_000), pairs),
  ]);
}

describe('an uploaded picture that is expensive to decode', () => {
  it('does not end the process with 5 MB of CBOR in its content credentials (S1)', async () => {
    const bytes = await withChunk(box('jumb', described('c2pa'), heavyCbor()));
    expect(bytes.length).toBeGreaterThan(5_000_000);
    expect((await upload(bytes)).status).toBe(200);
    expect((await fetch(`${server.base}/ready`)).status).toBe(200);
    expect(server.process.exitCode).toBeNull();
  });

  it('does not delay uploads of other visitors with 200 nested boxes (S3)', async () => {
    let nested: Buffer = box('jumb', described('c2pa'), box('jp2c', Buffer.alloc(3_000_000)));
    for (let depth = 0; depth < 200; depth++) nested = box('jumb', described(`c2pa.${depth}`), nested);
    const usual = await delayBeside(await withChunk(nested, 'zzZz'));
    const delay = await delayBeside(await withChunk(nested));
    expect(delay).toBeLessThan(usual * MAX_DELAY.factor + MAX_DELAY.ms);
  });

  it('does not occupy a decoder for long with 190,000 frames', async () => {
    const bytes = await animatedWebp(190_000);
    expect(bytes.length).toBeLessThan(10 * 1024 ** 2);
    const start = performance.now();
    const response = await upload(bytes, 'webp');
    expect(await response.json()).toMatchObject({
      statusCode: '422',
      message: 'The animation has 190000 frames; the limit is 200.',
    });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('does not delay other visitors with 40 megapixels in 2 KB', async () => {
    const create = { width: 7_900, height: 5_000, channels: 3, background: '#80a080' } as const;
    const bytes = await sharp({ create }).avif({ effort: 0 }).toBuffer();
    expect(bytes.length).toBeLessThan(2_000);
    const alone = performance.now();
    await upload(bytes, 'avif');
    const one = performance.now() - alone;
    // At most as long as one large picture: a second decoder is reserved for small ones.
    expect(await delayBeside(bytes, 'avif', [200, 400])).toBeLessThan(one + MAX_DELAY.ms);
  });

  it.runIf(process.platform === 'linux')('exceeds at most the memory limit of its decoder process', async () => {
    const heavy = upload(await endlessJpeg(), 'webp');
    await expect.poll(decoders, { timeout: 20_000 }).not.toEqual([]);
    const pids = decoders();
    for (const pid of pids) {
      expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max data size +2048000000 +2048000000 /m);
      await expect.poll(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    }
    const answered = heavy.then((response) => response.json());
    // Starting takes less CPU time, so it is decoding the picture.
    await expect.poll(() => Math.max(...decoders().map(cpuSecondsOf))).toBeGreaterThan(2);
    for (const pid of decoders()) process.kill(pid, 'SIGKILL');
    expect(await answered).toMatchObject({ statusCode: '422', code: 'InvalidRequest' });
    expect((await upload(await png())).status).toBe(200);
    expect(server.process.exitCode).toBeNull();
    expect(server.output()).toContain('image decoder exited');
  });
});
