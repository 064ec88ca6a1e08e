import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endlessJpeg, fileOf, newPath, png } from '../../../packages/backend/tests/storage/files.ts';
import { childrenOf, commandOf, cpuSecondsOf } from '../../child-processes.ts';
import { type RunningServer, startServerOnPostgres } from '../../server.ts';
import { clientOf } from '../client.ts';

/** How much longer than one hostile upload another visitor may wait beside four of them. */
const MAX_DELAY_MS = 1_500;

let server: RunningServer;
beforeAll(async () => {
  server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' });
});
afterAll(() => server?.stop({ signal: 'SIGKILL' }));

const upload = (bytes: Uint8Array, extension = 'png') =>
  clientOf(server).send(`/storage/v1/object/case-studies/${newPath(extension)}`, {
    method: 'POST',
    body: fileOf(bytes, `image/${extension === 'jpg' ? 'jpeg' : extension}`),
  });

/** Upload time of a small picture while four guests upload these bytes, whose responses must have a status of `statuses`. */
async function delayBeside(bytes: Buffer, extension: string, statuses: number[]): Promise<number> {
  const others = Array.from({ length: 4 }, () => upload(bytes, extension));
  await sleep(1_000);
  const start = performance.now();
  expect((await upload(await png())).status).toBe(200);
  const delay = performance.now() - start;
  for (const { status } of await Promise.all(others)) expect(statuses).toContain(status);
  return delay;
}

async function animatedWebp(frames: number): Promise<Buffer> {
  const raw = { width: 1, height: 2, channels: 3, pageHeight: 1 } as const;
  const pixels = Buffer.from([0, 0, 0, 255, 255, 255]);
  const whole = await sharp(pixels, { raw }).webp({ lossless: true }).toBuffer();
  const start = whole.indexOf('ANMF');
  const frame = whole.subarray(start, start + 8 + whole.readUInt32LE(start + 4));
  const bytes = Buffer.concat([whole.subarray(0, start), ...Array<Buffer>(frames).fill(frame)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

const decoders = (): number[] =>
  childrenOf(server.process.pid!).filter((pid) => commandOf(pid).includes('decoder-worker'));

describe('an uploaded picture that is expensive to decode', () => {
  it('does not occupy a decoder for long with 190,000 frames', async () => {
    const bytes = await animatedWebp(190_000);
    expect(bytes.length).toBeLessThan(10 * 1024 ** 2);
    const start = performance.now();
    const response = await upload(bytes, 'webp');
    const message = 'The animation has 190000 frames; the limit is 200.';
    expect(await response.json()).toMatchObject({ statusCode: '422', message });
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
    expect(await delayBeside(bytes, 'avif', [200, 400])).toBeLessThan(one + MAX_DELAY_MS);
  });

  it.runIf(process.platform === 'linux')('exceeds at most the memory limit of its decoder process', async () => {
    const heavy = upload(await endlessJpeg(), 'webp');
    await expect.poll(decoders).not.toEqual([]);
    for (const pid of decoders()) {
      // A shell sets the limit before it becomes the decoder.
      const limits = () => readFileSync(`/proc/${pid}/limits`, 'utf8');
      await expect.poll(limits).toMatch(/^Max data size +2048000000 +2048000000 /m);
      await expect.poll(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    }
    const answered = heavy.then((response) => response.json());
    // Starting takes less CPU time, so it is decoding the picture.
    await expect.poll(() => Math.max(...decoders().map(cpuSecondsOf))).toBeGreaterThan(1);
    for (const pid of decoders()) process.kill(pid, 'SIGKILL');
    expect(await answered).toMatchObject({ statusCode: '422', code: 'InvalidRequest' });
    expect((await upload(await png())).status).toBe(200);
    expect(server.process.exitCode).toBeNull();
    expect(server.output()).toContain('image decoder exited');
  });
});
