// Renders covers as films: source/<number>/loop.mjs -> <number>/loop.mp4 and loop.webm, six silent seconds without a seam.
// Usage: node supabase/seed-pictures/source/loops.mjs [number ...]
// Needs ffmpeg with libx264 and libvpx-vp9.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const SOURCE = import.meta.dirname;
const WIDTH = 960;
const RATE = 24;
const FRAMES = 6 * RATE;
const LIMIT = 392_000;
const CRF = { 1: { mp4: 24.8, webm: 38 }, 4: { mp4: 31, webm: 46 }, 7: { mp4: 26, webm: 40 } };

sharp.cache(false);

// Words are split at their spaces; a path, which may have some, comes in a list.
const ffmpeg = (...options) => {
  const words = options.flatMap((option) => (Array.isArray(option) ? option : option.split(' ')));
  return spawn('ffmpeg', ['-v', 'error', '-y', ...words], { stdio: ['pipe', 'inherit', 'inherit'] });
};
const finished = async (process) => {
  const [code] = await once(process, 'close');
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
};

const film = async (number, file) => {
  const { frame } = await import(`./${number}/loop.mjs`);
  let encoder;
  for (let index = 0; index < FRAMES; index += 1) {
    const { data, info } = await sharp(Buffer.from(frame(index / FRAMES)))
      .resize(WIDTH)
      .flatten({ background: 'white' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.height % 2) throw new Error(`${number} is ${info.height} pixels high, and 4:2:0 needs an even height`);
    const size = `${info.width}x${info.height}`;
    encoder ??= ffmpeg(`-f rawvideo -pix_fmt rgb24 -s ${size} -r ${RATE} -i - -c:v ffv1`, [file]);
    if (!encoder.stdin.write(data)) await once(encoder.stdin, 'drain');
  }
  encoder.stdin.end();
  await finished(encoder);
};

// Without the colour tags a browser may guess another matrix, and the film would not match its poster.
const COLOUR =
  '-vf scale=out_color_matrix=bt709:out_range=tv:flags=lanczos+accurate_rnd,format=yuv420p ' +
  '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -an';
const H264 = '-c:v libx264 -profile:v high -preset veryslow -refs 8 -tune animation -movflags +faststart';
const VP9 = '-c:v libvpx-vp9 -b:v 0 -row-mt 1 -deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 25';

const encode = async (number, raw, folder) => {
  const { mp4, webm } = CRF[number];
  const source = ['-i', raw];
  await finished(ffmpeg(source, COLOUR, H264, `-crf ${mp4} -g ${FRAMES}`, [join(folder, 'loop.mp4')]));
  const vp9 = `${VP9} -crf ${webm} -g ${FRAMES}`;
  const log = ['-passlogfile', `${raw}.log`];
  await finished(ffmpeg(source, COLOUR, vp9, log, '-pass 1 -f null -'));
  await finished(ffmpeg(source, COLOUR, vp9, log, '-pass 2', [join(folder, 'loop.webm')]));
};

const requested = process.argv.slice(2);
for (const number of requested.length ? requested : Object.keys(CRF)) {
  const work = await mkdtemp(join(tmpdir(), 'loop-'));
  const folder = join(SOURCE, '..', number);
  try {
    await film(number, join(work, 'raw.mkv'));
    await encode(number, join(work, 'raw.mkv'), folder);
  } finally {
    await rm(work, { recursive: true });
  }
  for (const file of ['loop.mp4', 'loop.webm']) {
    const { size } = await stat(join(folder, file));
    console.log(`${number}/${file} ${size}`);
    if (size > LIMIT) throw new Error(`${number}/${file} is larger than ${LIMIT} bytes: raise its crf`);
  }
}
