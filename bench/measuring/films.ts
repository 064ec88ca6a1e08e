import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { shortFilm, uploadMetadata } from '../../packages/backend/tests/storage/files.ts';
import { findSwift, startSwift } from '../../tests/programs/swift.ts';
import { keysIn, type RunningServer } from '../../tests/server.ts';
import { median } from './load.ts';
import { residentMegabytes } from './process-tree.ts';
import { figure } from './report.ts';
import { withServer } from './with-server.ts';

const MEGABYTES = 199;
/** Size of the pieces that the browser sends. */
const PIECE = 6 * 1024 ** 2;
/** The first is a warm-up. */
const ROUNDS = 4;
const SAMPLE_MS = 50;
/** Growth of the resident memory while a film is uploaded or read. */
const MAX_GROWTH = 100;

/** Resumable uploads of films near the size limit to disk and to S3, and the memory of the server meanwhile. */
export async function measureFilms(): Promise<void> {
  const film = await longFilm();
  await measure('disk', film, {});
  if (!findSwift()) return;
  const swift = await startSwift();
  try {
    await measure('S3', film, await swift.settings());
  } finally {
    await swift.stop();
  }
}

async function measure(store: string, film: Buffer, settings: Record<string, string>): Promise<void> {
  await withServer({ SEED: 'none', ...settings }, async (server) => {
    const { secret } = keysIn(server.dataDir);
    const authorization = { authorization: `Bearer ${secret}` };
    const seconds = { upload: [] as number[], read: [] as number[] };
    const growth: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const path = `${randomUUID()}.mp4`;
      const grown = await peakGrowth(server, async () => {
        seconds.upload.push(await secondsOf(() => upload(server.base, path, film, authorization)));
        seconds.read.push(await secondsOf(() => read(server.base, path, film.length)));
      });
      growth.push(grown);
    }
    const rate = (values: number[]) => {
      const time = median(values.slice(1));
      return `${time.toFixed(1)} s, ${(MEGABYTES / time).toFixed(0)} MB per s`;
    };
    figure(`film of ${MEGABYTES} MB to ${store}`, `upload ${rate(seconds.upload)}; read ${rate(seconds.read)}`);
    const most = Math.max(...growth.slice(1));
    const goal = `goal ${MAX_GROWTH}, ${most <= MAX_GROWTH ? 'met' : 'MISSED'}`;
    figure('memory of the server meanwhile', `${most.toFixed(0)} MiB more (${goal})`);
  });
}

const upload = (base: string, objectName: string, film: Buffer, headers: Record<string, string>) =>
  new Promise<void>((resolve, reject) => {
    const metadata = uploadMetadata({ bucketName: 'films', objectName, contentType: 'video/mp4' });
    new Upload(film, {
      endpoint: `${base}/storage/v1/upload/resumable`,
      headers: { ...headers, 'upload-metadata': metadata },
      chunkSize: PIECE,
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });

/** In ranges, as a browser's player requests them. */
async function read(base: string, path: string, length: number): Promise<void> {
  for (let from = 0; from < length; from += PIECE) {
    const range = `bytes=${from}-${Math.min(length, from + PIECE) - 1}`;
    const response = await fetch(`${base}/storage/v1/object/public/films/${path}`, { headers: { range } });
    await response.bytes();
    if (response.status !== 206) throw new Error(`${range} of a film returned ${response.status}`);
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** How much the resident memory rose at most while `work` ran, in MiB. */
async function peakGrowth(server: RunningServer, work: () => Promise<unknown>): Promise<number> {
  const memory = () => residentMegabytes(server.process.pid!);
  const before = memory();
  let peak = before;
  let isDone = false;
  const watch = async () => {
    for (; !isDone; await sleep(SAMPLE_MS)) peak = Math.max(peak, memory());
  };
  await Promise.all([watch(), work().finally(() => (isDone = true))]);
  return peak - before;
}

/** A short film with a box that players skip. */
async function longFilm(): Promise<Buffer> {
  const film = await shortFilm('mp4');
  const rest = Buffer.alloc(MEGABYTES * 1024 ** 2 - film.length);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4, 'latin1');
  return Buffer.concat([film, rest]);
}
