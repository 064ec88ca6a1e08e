// The loop of 0.svg: it rains, he whistles and stops the taxi, and the taxi's wipers are all that goes on.
import sharp from 'sharp';
import { beat, between, cover, fix, hold, mod, ramp, random, swap, wave } from '../motion.mjs';

const SVG = cover(import.meta.dirname);
const DEFS = between(SVG, '<defs>', '<rect width="1600" height="1200" fill="#2A44F5"/>');
const part = (from, to) => between(SVG, from, to);
// A filter's region follows the shapes without their strokes, and would cut off an arm that is all stroke.
const rough = (drawing) => `<g filter="url(#r)"><path d="M0 0H1600V1200H0z" fill="none"/>${drawing}</g>`;

// The filters take seconds a frame: each part that moves as one is drawn once, larger, and moved as a picture.
const picture = async (drawing, scale = 0.6, [x, y, wide, high] = [0, 0, 1600, 1200]) => {
  const size = `width="${wide * scale}" height="${high * scale}" viewBox="${x} ${y} ${wide} ${high}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${DEFS}${drawing}</svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  const data = `data:image/png;base64,${png.toString('base64')}`;
  return `<image x="${x}" y="${y}" width="${wide}" height="${high}" href="${data}"/>`;
};

const REFLECTIONS = 'M1100 870h80l-10 20 20 24';
const PUPILS = '<circle cx="754" cy="556" r="7" fill="#1B1220"/><circle cx="890" cy="556" r="7" fill="#1B1220"/>';
const BROWS = 'M716 520q34-20 66-2M858 518q34-18 66 2';
const CORD = '<path d="M894 712C900 760 880 800 850 820" stroke="#EDEFF0" stroke-width="6" fill="none"/>';
const head = [PUPILS, CORD, part('<path d="M950 640l50-30', '\n<!-- arm with baton')].reduce(
  (svg, out) => swap(svg, out, ''),
  swap(part('<!-- hood and head -->', '<!-- arm with baton'), BROWS, ''),
);

const LAYERS = {
  street: await picture(rough(part('<path d="M-20 560H300V130', '<path d="M1130 640'))),
  taxi: await picture(rough(part('<path d="M1130 640', '<path d="M-20 840C400')), 1.2, [1040, 400, 620, 480]),
  road: await picture(rough(part('<path d="M-20 840C400', '<g fill="#E4FF3A" opacity=".85">'))),
  coat: await picture(
    rough('<use href="#coat" fill="#EE3A12"/>') +
      part('<g clip-path="url(#cc)">', '<g filter="url(#r)">\n<path d="M822') +
      rough(part('<path d="M822 700', '<!-- hood and head -->')),
  ),
  head: await picture(rough(head), 1.2, [540, 200, 560, 600]),
  far: await picture(rough(part('<path d="M1090 700', '<!-- arm that stops')), 1.2, [980, 580, 380, 600]),
  sleeve: await picture(rough(part('<path d="M590 720', '<path d="M250 690')), 1.2, [280, 580, 440, 300]),
  hand: await picture(rough(part('<path d="M250 690', '</g>\n<path d="M36 24')), 1.2, [100, 100, 480, 740]),
};

const STROKES = [...part('M36 24l', '" stroke="#EDEFF0" stroke-width="9"').matchAll(/M(\d+) (\d+)l(-\d+) (\d+)/g)].map(
  ([, ...numbers]) => numbers.map(Number),
);
// These wait to the right of the picture, so that its lower corner does not dry out.
for (let more = 0; more < 8; more += 1) STROKES.push([1670 + 90 * random(more, 1), 150 * more, -37, 90 + 7 * more]);
const ABOVE = 160;
// Whole pixels a frame (10 × 30, 9 × 27, 7 × 21): the encoder then has nothing to do but move the strokes.
const FALLS = { 5: 1440, 4: 1620, 3: 1680 };

// Most drops land where the road is to be seen, on either side of the coat.
const landing = (spread) => {
  if (spread < 0.4) return 1075 * spread;
  return spread < 0.75 ? 1240 + 1030 * (spread - 0.4) : 430 + 3280 * (spread - 0.75);
};

// The longer the stroke, the nearer and faster. What falls behind him lands on the road and leaves a ring.
const rain = (t) => {
  const near = [];
  const behind = [];
  const rings = [];
  STROKES.forEach(([x, y, dx, dy], index) => {
    const rounds = dy > 130 ? 5 : dy > 100 ? 4 : 3;
    const fall = FALLS[rounds];
    const way = (y + ABOVE) / fall + rounds * t;
    const round = Math.floor(way) % rounds;
    if (round && random(index + 3, round) < 0.38) return;
    const at = mod(way, 1) * fall - ABOVE;
    const back = rounds === 3 ? round > 0 : rounds === 4 && round % 2 === 1;
    const ground = back ? 870 + 280 * random(round, index + 7) : Number.POSITIVE_INFINITY;
    const spread = mod(0.618034 * index + 0.377 * round, 1);
    const start = round ? 2080 * spread : x + (y + ABOVE) / 3;
    const top = back ? landing(spread) + (ground + ABOVE) / 3 : start;
    const place = (level) => fix(top - (at + ABOVE) / 3 + ((level - at) * dx) / dy);
    const foot = Math.min(at + dy, ground);
    if (at < foot) (back ? behind : near).push(`M${place(at)} ${fix(at)}L${place(foot)} ${fix(foot)}`);
    const age = (at + dy - ground) / 380;
    if (age > 0 && age < 1) {
      rings.push(`<ellipse cx="${place(ground)}" cy="${fix(ground)}" rx="${fix(8 + 60 * age)}" ry="${fix(2 + 17 * age)}"
        stroke-width="${fix(9 * (1 - age * age))}"/>`);
      const hop = fix(26 * Math.sin(Math.PI * Math.min(1, 2 * age)));
      if (age < 0.5) {
        rings.push(`<path d="M${place(ground) - 10} ${fix(ground - hop)}l-6-10M${place(ground) + 10}
          ${fix(ground - hop)}l6-10" stroke-width="7"/>`);
      }
    }
  });
  const strokes = (paths) => `<path d="${paths.join('')}" stroke="#EDEFF0" stroke-width="9" stroke-linecap="round"/>`;
  return {
    near: strokes(near),
    behind: strokes(behind),
    rings: `<g stroke="#8D9CFF" stroke-linecap="round" fill="none">${rings.join('')}</g>`,
  };
};

// The lights on the wet road shake in slices: each corner sideways, the more the lower.
const shaken = (d, t) => {
  let [x, y] = [0, 0];
  return [...d.matchAll(/([Mhlz])([^Mhlz]*)/g)]
    .map(([, letter, rest]) => {
      const numbers = (rest.match(/-?\d+/g) ?? []).map(Number);
      const points = [];
      if (letter === 'M') [x, y] = [0, 0];
      for (let at = 0; at < numbers.length; at += letter === 'h' ? 1 : 2) {
        x += numbers[at];
        y += letter === 'h' ? 0 : numbers[at + 1];
        points.push(`${fix(x + (y - 860) * 0.09 * wave(t, 3, y / 130))} ${y}`);
      }
      return letter === 'z' ? 'z' : `${letter === 'M' ? 'M' : 'L'}${points.join(' ')}`;
    })
    .join('');
};

const road = (t) => {
  const lights = part(REFLECTIONS, '"/></g>\n<g stroke="#2A44F5"');
  const swell = fix(20 * Math.cos(4 * Math.PI * t));
  const waves = part('M60 1060q', '"/></g>\n<!-- coat -->').replaceAll('q60-20 120 0', `q60 ${-swell} 120 0`);
  return `<path d="${shaken(lights, t)}" fill="#E4FF3A" opacity=".85"/>
    <path d="${waves}" transform="translate(${fix(16 * wave(t, 1))} 0)"
      stroke="#2A44F5" stroke-width="8" fill="none"/>`;
};

// He whistles at both ends of the loop and twice between.
const loud = (t) =>
  hold(t, -1, 0, 0.05, 0.12) + hold(t, 0.26, 0.29, 0.36, 0.42) + hold(t, 0.48, 0.51, 0.62, 0.7) + ramp(t, 0.92, 0.96);

const whistle = (t) => {
  const level = loud(t);
  const shake = level < 1 ? 0 : 0.12 * wave(t, 10);
  const [from, to] = [1 - level + shake, 1 + 0.4 * (1 - level) + shake];
  const rays = [
    [950, 640, 50, -30],
    [956, 674, 60, 0],
    [946, 706, 44, 26],
  ].map(([x, y, dx, dy]) => `M${fix(x + dx * from)} ${fix(y + dy * from)}L${fix(x + dx * to)} ${fix(y + dy * to)}`);
  const cord = 16 * wave(t, 4) + 8 * wave(t, 7, 0.3);
  const bent = `M894 712C${fix(900 + cord)} 760 ${fix(880 + cord)} 800 850 820`;
  return `<path d="${bent}" stroke="#EDEFF0" stroke-width="6" fill="none"/>
    <path d="${level > 0.02 ? rays.join('') : ''}" stroke="#EDEFF0" stroke-width="10" stroke-linecap="round"/>`;
};

const face = (t) => {
  const gaze = fix(9 * (hold(t, 0.14, 0.17, 0.25, 0.28) - hold(t, 0.7, 0.73, 0.85, 0.88)));
  const open = 1 - [0.21, 0.44, 0.79].reduce((sum, at) => sum + hold(t, at - 0.018, at, at + 0.004, at + 0.024), 0);
  const pupils = [754, 890].map((x) => `<ellipse cx="${x + gaze}" cy="556" rx="7" ry="${fix(7 * open)}"/>`);
  return `<g fill="#1B1220">${pupils.join('')}</g>
    <path d="${BROWS}" transform="translate(0 ${fix(7 * (1 - loud(t)))})" stroke="#1B1220" stroke-width="14"
      fill="none" stroke-linecap="round"/>`;
};

const taxi = (t) => {
  const creep = hold(t, 0.12, 0.24, 0.28, 0.36) + hold(t, 0.72, 0.82, 0.86, 0.93);
  const turn = fix(-100 * beat(t, 4));
  const wiper = (x) => `<path d="M${x} 632h136" transform="rotate(${turn} ${x} 632)"/>`;
  const near = `scale(${1 + 0.03 * creep}) translate(-1350 -850)`;
  return `<g transform="translate(1350 850) ${near}">${LAYERS.taxi}
    <g stroke="#16259A" stroke-width="14" stroke-linecap="round">${wiper(1196)}${wiper(1360)}</g></g>`;
};

const drips = (t) =>
  [
    [330, 776, 0.08],
    [330, 776, 0.52],
    [1236, 1110, 0.3],
    [1236, 1110, 0.74],
    [410, 780, 0.3],
  ]
    .map(([x, y, from]) => {
      const fall = Math.max(0, (t - from - 0.1) / 0.12);
      const r = fix(10 * ramp(t, from, from + 0.1));
      return fall > 1 || !r ? '' : `<circle cx="${x}" cy="${fix(y + 2 * r + 520 * fall * fall)}" r="${r}"/>`;
    })
    .join('');

// The rain moves on each frame, all else on every second one: it looks as cut out as it is drawn, at half the bytes.
export const frame = (now) => {
  const t = Math.floor(72 * now + 1e-6) / 72;
  const { near, behind } = rain(now);
  const push = loud(t) - 1;
  const sway = fix(1.6 * wave(t, 1, 0.1) + 2.4 * push);
  const wrist = fix(2.2 * wave(t, 2, 0.3) - 5 * push);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">
    <rect width="1600" height="1200" fill="#2A44F5"/>${LAYERS.street}${taxi(t)}
    ${LAYERS.road}${road(t)}${rain(t).rings}${behind}${LAYERS.coat}
    <g transform="translate(0 ${fix(4 * push)}) rotate(${fix(0.9 * wave(t, 1, 0.55) + 0.8 * push)} 820 800)">
    ${LAYERS.head}${face(t)}${whistle(t)}</g>
    <g fill="#EDEFF0">${drips(t)}</g>
    <g transform="rotate(${fix(1.6 * wave(t, 2, 0.15))} 1090 700)">${LAYERS.far}</g>
    <g transform="rotate(${sway} 590 720)">${LAYERS.sleeve}
    <g transform="rotate(${wrist} 372 700)">${LAYERS.hand}</g></g>${near}</svg>`;
};
