import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { animatedGif, fileOf, newPath } from '../packages/backend/tests/storage/files.ts';
import { clientOf } from '../tests/operator/client.ts';
import { randomNumbers } from '../tests/random-numbers.ts';
import { measureFilms } from './measuring/films.ts';
import { runAll } from './measuring/load.ts';
import { residentMegabytes } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';

const SEED = join(import.meta.dirname, '..', 'supabase', 'seed-pictures');
const MUTATIONS = 5_000;
const WARM_UP = 200;
const BATCH_SIZE = 4;
const MAX_GROWTH = 60;
/** Decoder processes exit after 60 idle seconds. */
const IDLE_MS = 65_000;

type Kind = 'png' | 'jpg' | 'webp' | 'gif' | 'avif';

/**
 * Sends mutated images to the upload and render routes. The server must return no 5xx, keep running and release the
 * memory, whatever happens to a decoder. The mutations are the same in every run. Then films.
 * @param only "films" for those alone
 */
export default async function uploads([only]: string[]): Promise<void> {
  if (only !== 'films') await measureMutations();
  await measureFilms();
}

async function measureMutations(): Promise<void> {
  await withServer({ SEED: 'none', TRUST_PROXY: '1' }, async (server) => {
    const client = clientOf(server);
    const images = await createImages();
    const statuses = new Map<string, number>();
    const count = (label: string) => statuses.set(label, (statuses.get(label) ?? 0) + 1);

    async function send(number: number): Promise<void> {
      const random = randomNumbers(number * 7_919);
      const { kind, bytes } = images[number % images.length]!;
      const path = newPath(kind);
      const body = fileOf(mutate(bytes, random), `image/${kind === 'jpg' ? 'jpeg' : kind}`);
      const stored = await client.send(`/storage/v1/object/case-studies/${path}`, { method: 'POST', body });
      await stored.arrayBuffer();
      count(`upload ${stored.status}`);
      if (!stored.ok) return;
      const width = [16, 320, 640, 1280][random(4)];
      const variant = `/storage/v1/render/image/authenticated/case-studies/${path}?width=${width}`;
      const rendered = await client.asService(variant, { headers: { accept: 'image/avif,image/webp,*/*' } });
      await rendered.arrayBuffer();
      count(`render ${rendered.status}`);
    }

    await runAll(WARM_UP, BATCH_SIZE, (number) => send(MUTATIONS + number));
    await sleep(IDLE_MS);
    const before = residentMegabytes(server.process.pid!);
    statuses.clear();
    await runAll(MUTATIONS, BATCH_SIZE, send);
    await sleep(IDLE_MS);
    const growth = residentMegabytes(server.process.pid!) - before;
    const summary = [...statuses].toSorted().map(([label, times]) => `${label}: ${times}`);
    figure(`${MUTATIONS} mutated images of ${images.length}`, summary.join(', '));
    const failed = [...statuses].filter(([label]) => / 5\d\d$/.test(label)).length;
    figure('5xx responses', `${failed} (goal 0, ${failed ? 'MISSED' : 'met'})`);
    figure('the server', server.process.exitCode === null ? 'is running (met)' : 'has exited (MISSED)');
    const goal = `goal ${MAX_GROWTH}, ${growth <= MAX_GROWTH ? 'met' : 'MISSED'}`;
    figure('memory of the server afterwards', `${growth.toFixed(0)} MiB more (${goal})`);
  });
}

/** Drawings of the demo in five formats and two sizes with metadata, and an animation. */
async function createImages(): Promise<{ kind: Kind; bytes: Buffer }[]> {
  const names = ['1', '2', '3', '5', '8', '13'].map((name) => join(name, '0.webp'));
  const images = names.flatMap((name) =>
    [160, 900].flatMap((width) =>
      (['png', 'jpg', 'webp', 'gif', 'avif'] as const).map(async (kind) => ({
        kind,
        bytes: await sharp(join(SEED, name))
          .resize(width)
          .withExif({ IFD0: { Artist: 'Bench', Copyright: name } })
          .toFormat(kind === 'jpg' ? 'jpeg' : kind, kind === 'avif' ? { effort: 1 } : {})
          .toBuffer(),
      })),
    ),
  );
  return [...(await Promise.all(images)), { kind: 'gif', bytes: await animatedGif(8) }];
}

/** Applies one of five faults: changed bytes, a truncated end, removed bytes, duplicated bytes, a wrong number in the header. */
function mutate(original: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(original);
  switch (random(5)) {
    case 0:
      for (let times = 1 + random(64); times > 0; times--) bytes[random(bytes.length)] = random(256);
      return bytes;
    case 1:
      return bytes.subarray(0, 16 + random(bytes.length - 16));
    case 2: {
      const from = random(bytes.length);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random(4_096))]);
    }
    case 3: {
      const from = random(bytes.length);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.max(0, from - random(4_096)))]);
    }
    default: {
      const headerEnd = Math.min(bytes.length - 4, 512);
      for (let times = 1 + random(4); times > 0; times--)
        bytes.writeUInt32BE([0, 1, 0x7fffffff, 0xffffffff, random(2 ** 32)][random(5)]!, 8 + random(headerEnd - 8));
      return bytes;
    }
  }
}
