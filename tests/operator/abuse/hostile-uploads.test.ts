import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, newPath, png } from '../../contract/storage/files.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../../server.ts';

const TIMEOUT = 120_000;
/** How much longer another visitor may wait beside hostile pictures than beside harmless ones of the same size. */
const MOST_DELAY = { factor: 3, ms: 1_500 };

let server: RunningServer;
let key: string;
beforeAll(async () => {
  server = await startServer({ SEED: 'none', TRUST_PROXY: '1' });
  key = await publishableKeyOf(server.base);
});
afterAll(() => server?.stop({ signal: 'SIGKILL' }));

/** Uploads as a guest does, each time from another address. */
const upload = (bytes: Uint8Array, extension = 'png') =>
  fetch(`${server.base}/storage/v1/object/case-studies/${newPath(extension)}`, {
    method: 'POST',
    headers: { apikey: key, 'x-forwarded-for': newAddress() },
    body: fileOf(bytes, `image/${extension === 'jpg' ? 'jpeg' : extension}`),
  });

/** A box of JUMBF: its length, its type, its content. */
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

/** A PNG of 8 × 8 pixels with one more chunk; content credentials are in chunks named `caBX`. */
async function withChunk(content: Buffer, name = 'caBX'): Promise<Buffer> {
  const picture = await png(8, 8);
  const named = Buffer.concat([Buffer.from(name), content]);
  const chunk = Buffer.concat([u32(content.length), named, u32(crc32(named))]);
  // After the signature and the first chunk.
  return Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]);
}

/** How long a small picture takes while eight guests upload these bytes. */
async function delayBeside(bytes: Buffer): Promise<number> {
  const others = Array.from({ length: 8 }, () => upload(bytes));
  await sleep(1_000);
  const start = performance.now();
  expect((await upload(await png())).status).toBe(200);
  const delay = performance.now() - start;
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  return delay;
}

/** About 5 MB of CBOR that need far more once they are objects: 900,000 empty arrays, then a map of 705,000 large keys. */
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

describe('an uploaded picture that is made to be hard to read', () => {
  it('does not end the process with 5 MB of CBOR in its content credentials (S1)', { timeout: TIMEOUT }, async () => {
    const bytes = await withChunk(box('jumb', described('c2pa'), heavyCbor()));
    expect(bytes.length).toBeGreaterThan(5_000_000);
    expect((await upload(bytes)).status).toBe(200);
    expect((await fetch(`${server.base}/ready`)).status).toBe(200);
    expect(server.process.exitCode).toBeNull();
  });

  it('does not delay the upload of another visitor with 200 nested boxes (S3)', { timeout: TIMEOUT }, async () => {
    let nested: Buffer = box('jumb', described('c2pa'), box('jp2c', Buffer.alloc(3_000_000)));
    for (let depth = 0; depth < 200; depth++) nested = box('jumb', described(`c2pa.${depth}`), nested);
    const usual = await delayBeside(await withChunk(nested, 'zzZz'));
    const delay = await delayBeside(await withChunk(nested));
    expect(delay).toBeLessThan(usual * MOST_DELAY.factor + MOST_DELAY.ms);
  });
});
