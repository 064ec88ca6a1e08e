// The cover 0.svg as a loop of six seconds: four phrases run along the wire, out of the speaker and up the steam.
import sharp from 'sharp';
import { cover, mod, ramp } from '../motion.mjs';

const SECONDS = 6;
const WIDTH = 960;
const TAU = 2 * Math.PI;

// Seconds at which a phrase starts, and its beats after that.
const PHRASES = [
  { start: 0.14, beats: [0, 0.4] },
  { start: 1.5, beats: [0, 0.38, 0.78] },
  { start: 2.9, beats: [0, 0.5] },
  { start: 4.2, beats: [0, 0.38] },
];
const BEATS = PHRASES.flatMap(({ start, beats }) => beats.map((beat) => start + beat));

const BARS_X = [232, 292, 352, 412, 472, 532, 592, 652, 712, 772, 826];
// The first row is the cover; each phrase leads to the next row, the last one back to the first.
const BARS = [
  [36, 92, 152, 76, 188, 124, 56, 172, 104, 60, 16],
  [20, 56, 88, 150, 108, 60, 128, 164, 120, 72, 30],
  [50, 104, 66, 128, 170, 182, 140, 72, 112, 44, 20],
  [28, 72, 132, 184, 92, 44, 100, 150, 84, 92, 30],
];

const svg = cover(import.meta.dirname);
const part = (name) =>
  svg
    .split(`<!-- ${name}`)[1]
    .replace(/^.*?-->/, '')
    .split('<!--')[0]
    .replace('</svg>', '');
const head = svg.slice(0, svg.indexOf('</defs>') + 7);
const open = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">';
const [mug, screen] = part('cup').split(/\n(?=<g filter="url\(#r\)"><g clip-path)/);
const tea = mug.match(/<path d="M712[\s\S]*?\/>\s*<path d="M790[\s\S]*?\/>/)[0];
const dots = part('speaker').match(/<g fill="#EDEFF0">[\s\S]*?<\/g><g>[\s\S]*?<\/g><\/g>/)[0];

// The filters of the cover take seconds, so what stands still is drawn once.
async function still(content) {
  const png = await sharp(Buffer.from(`${head}${content}</svg>`))
    .resize(WIDTH)
    .png()
    .toBuffer();
  return `<image width="1600" height="1200" href="data:image/png;base64,${png.toString('base64')}"/>`;
}
const ground = svg.slice(svg.indexOf('</defs>') + 7).split('<!-- wire -->')[0];
const BACK = await still(ground);
const MUG = await still(mug.replace(tea, ''));
const FRONT = await still(screen + part('speaker').replace(dots, '') + part('wire into the wall'));

// The rough edge of filters r and r2, for points: the same noise, read from a picture of it.
async function roughness(id) {
  const [, noise, scale] = svg.match(new RegExp(`<filter id="${id}".*?(<feTurbulence.*?/>).*?scale="(\\d+)"`));
  const filter = `<filter id="n" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">${noise}</filter>`;
  const picture = `${open}${filter}<rect width="1600" height="1200" filter="url(#n)"/></svg>`;
  const { data, info } = await sharp(Buffer.from(picture)).resize(800).raw().toBuffer({ resolveWithObject: true });
  const at = (x, y, channel) => {
    const column = Math.min(Math.max(x, 0), info.width - 1);
    const row = Math.min(Math.max(y, 0), info.height - 1);
    return data[(row * info.width + column) * info.channels + channel];
  };
  const read = (x, y, channel) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const upper = at(left, top, channel) * (left + 1 - x) + at(left + 1, top, channel) * (x - left);
    const lower = at(left, top + 1, channel) * (left + 1 - x) + at(left + 1, top + 1, channel) * (x - left);
    return ((upper * (top + 1 - y) + lower * (y - top)) / 255 - 0.5) * scale;
  };
  return ([x, y]) => [x - read(x / 2, y / 2, 0), y - read(x / 2, y / 2, 1)];
}
const rough = await roughness('r');
const rougher = await roughness('r2');

// Points along a path of M, C, c, S and s.
function sample(d, steps) {
  let [x, y] = d.match(/-?[\d.]+/g).map(Number);
  let [handleX, handleY] = [x, y];
  const points = [[x, y]];
  for (const [, command, list] of d.replace(/^M-?[\d.]+[ -][\d.]+/, '').matchAll(/([CcSs])([^CcSsz]+)/g)) {
    const numbers = list.match(/-?[\d.]+/g).map(Number);
    const short = command === 'S' || command === 's';
    while (numbers.length) {
      const n = numbers.splice(0, short ? 4 : 6);
      if (command === 'c' || command === 's')
        n.forEach((value, index) => {
          n[index] = value + (index % 2 ? y : x);
        });
      if (short) n.unshift(2 * x - handleX, 2 * y - handleY);
      for (let step = 1; step <= steps; step++) {
        const b = step / steps;
        const a = 1 - b;
        const mix = (p0, p1, p2, p3) => a * a * a * p0 + 3 * a * a * b * p1 + 3 * a * b * b * p2 + b * b * b * p3;
        points.push([mix(x, n[0], n[2], n[4]), mix(y, n[1], n[3], n[5])]);
      }
      [handleX, handleY, x, y] = n.slice(2);
    }
  }
  return points;
}
const line = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
const closed = (points) => `${line(points)}z`;

// The outline of a brush stroke along points; width is given per point, by its index.
function ribbon(points, width) {
  const sides = points.map(([x, y], index) => {
    const [[ax, ay], [bx, by]] = [points[Math.max(index - 1, 0)], points[Math.min(index + 1, points.length - 1)]];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [(((ay - by) / length) * width(index)) / 2, (((bx - ax) / length) * width(index)) / 2];
    return [
      [x + nx, y + ny],
      [x - nx, y - ny],
    ];
  });
  return closed([...sides.map(([left]) => left), ...sides.map(([, right]) => right).reverse()].map(rougher));
}

const clamp = (x) => Math.min(Math.max(x, 0), 1);
const ease = (x) => ramp(x, 0, 1);
const since = (t, second) => mod(t * SECONDS - second, SECONDS);
const bump = (x) => (x / 0.18) ** 2 * Math.exp(2 - (2 * x) / 0.18);
const voice = (t, delay) => BEATS.reduce((sum, beat) => sum + bump(since(t, beat + delay)), 0);
// A travelling wave that is nowhere at t = 0, where the picture must be the cover.
const sway = (t, cycles, phase) => Math.sin(phase - TAU * cycles * t) - Math.sin(phase);

const path = (start) => svg.match(new RegExp(`d="(${start}[^"]*)"`))[1];
const BUBBLE = sample(path('M1000 352'), 24);
const TAIL = sample('M1010 372C1010 270 950 250 800 186', 20);
const WISPS = [
  { d: path('M1120 360'), on: 'c-20-46-16-80 10-150', width: 26, swing: 26, wave: 300, starts: [0.7, 3.6] },
  { d: path('M1210 366'), on: 'c20-34 34-66 8-140', width: 18, swing: 14, wave: 210, starts: [2.2] },
].map((wisp) => ({ ...wisp, points: sample(wisp.d, 60), whole: sample(wisp.d + wisp.on, 60) }));
const WIRE = sample(path('M-20 1010'), 24);
const TEA = sample('M712 428C790 396 1170 396 1248 428', 48);
const TEA_FRONT = sample('M1248 428C1180 474 780 474 712 428', 24).map(rough);
const SHINE = sample(path('M790 428'), 32);
const LEFT = sample('M664 404C672 560 706 800 752 1000', 20);
const RIGHT = sample('M1208 1000C1254 800 1288 560 1296 404', 20);
const DOTS = [...dots.matchAll(/cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)].map((match) => match.slice(1).map(Number));

function wire(t) {
  const hum = 1.4 + 2.2 * Math.min(1, voice(t, -0.35));
  const points = WIRE.map(([x, y], index) => {
    const along = index / (WIRE.length - 1);
    const held = ease((1 - along) * 5);
    const [ax, ay] = WIRE[Math.max(index - 1, 0)];
    const [bx, by] = WIRE[Math.min(index + 1, WIRE.length - 1)];
    const length = Math.hypot(bx - ax, by - ay);
    const push = held * (hum * sway(t, 9, along * TAU * 8) + 4 * sway(t, 1, along * TAU * 1.5));
    return rough([x + ((ay - by) / length) * push, y + ((bx - ax) / length) * push]);
  });
  const moved = (dx, dy) => line(points.map(([x, y]) => [x + dx, y + dy]));
  const glints = PHRASES.map(({ start }) => {
    const progress = 1 - (SECONDS - since(t, start - 0.14)) / 0.95;
    if (progress <= 0) return '';
    const front = progress ** 1.4 * 1.16;
    const last = WIRE.length - 1;
    const bright = points.slice(Math.max(0, Math.round((front - 0.16) * last)), Math.round(front * last) + 1);
    return bright.length > 1 ? line(bright.map(([x, y]) => [x, y - 4])) : '';
  });
  return `<g fill="none" stroke-linecap="round"><path d="${moved(6, 20)}" stroke="#270F11" stroke-width="18"/>
<path d="${moved(0, 0)}" stroke="#270F11" stroke-width="18"/>
<path d="${moved(0, 0)}" stroke="#C9702B" stroke-width="17"/>
<path d="${moved(0, -4)}" stroke="#FFC08A" stroke-width="5"/>
<path d="${glints.join('')}" stroke="#FFF3E4" stroke-width="9"/></g>`;
}

function steam(t) {
  const float = 3 * (1 - Math.cos(TAU * t));
  const swell = PHRASES.reduce((sum, { start }) => sum + bump(since(t, start + 0.9) / 2), 0);
  const puffs = PHRASES.map(({ start }) => {
    const progress = clamp((since(t, start) - 0.1) / 1.1);
    return { at: TAIL[Math.round(ease(progress) * 20)], size: 0.42 * Math.sin(Math.PI * progress) ** 2 };
  });
  const bubble = BUBBLE.map(([x, y]) => {
    const free = ease((372 - y) / 150);
    const body = ease((960 - x) / 200);
    const angle = Math.atan2((y - 165) * 2.2, x - 515);
    const lobe = 1 + body * (0.006 * swell + 0.011 * sway(t, 1, 3 * angle) + 0.006 * sway(t, -2, 5 * angle + 1));
    const flow = (1 - body) * free * 8;
    const point = [515 + (x - 515) * lobe, 165 + (y - 165) * lobe + float * body];
    point[0] += flow * sway(t, 2, (372 - y) / 36);
    point[1] -= flow * 0.7 * sway(t, 2, (372 - y) / 36);
    for (const { at, size } of puffs) {
      const near = size * Math.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 9000);
      point[0] += (x - at[0]) * near;
      point[1] += (y - at[1]) * near;
    }
    return rougher(point);
  });
  return `<g fill="#EDEFF0"><path d="${closed(bubble)}"/>${WISPS.map((one) => wisp(t, one)).join('')}</g>
<g stroke="#EE3A12" stroke-width="24" stroke-linecap="round"><path d="${bars(t, float)}"/></g>`;
}

function wisp(t, { points, whole, width, swing, wave, starts }) {
  const blow = ([x, y]) => {
    const up = 366 - y;
    const push = swing * ease(up / 320) ** 0.8 * sway(t, 2, (up / wave) * TAU);
    return [x + push + swing * 0.4 * ease(up / 320) * sway(t, 1, (up / wave) * 4 + 1), y];
  };
  const step = (366 - points.at(-1)[1]) / points.length;
  const last = points.length - 1 + Math.round(width / 2 / step);
  const stem = ribbon(whole.slice(0, last + 1).map(blow), (index) => {
    const cap = clamp(((last - index) * step) / (width / 2));
    return width * Math.sqrt(1 - (1 - cap) ** 2);
  });
  // A piece comes out of the tip, where its start is hidden, and thins out above.
  const pieces = starts.map((second) => {
    const progress = since(t, second) / 2.4;
    if (progress >= 1) return '';
    const end = points.length - 1 + Math.round((whole.length - points.length) * ease(progress / 2) * 1.9);
    const size = Math.round(34 - 12 * progress);
    const piece = whole.slice(end - size, end + 1).map(blow);
    const thick = width * 0.96 * (1 - progress ** 3);
    return `<path d="${ribbon(piece, (index) => thick * Math.sin((Math.PI * index) / size) ** 0.5)}"/>`;
  });
  return `<path d="${stem}"/>${pieces.join('')}`;
}

function bars(t, float) {
  return BARS_X.map((x, bar) => {
    const delay = (BARS_X.length - 1 - bar) * 0.04;
    const height = PHRASES.reduce((from, { start }, index) => {
      const to = BARS[(index + 1) % BARS.length][bar];
      return from + (to - BARS[index][bar]) * ease((t * SECONDS - start - 0.6 - delay) / 0.6);
    }, BARS[0][bar]);
    const lively = height * (1 + 0.07 * voice(t, 0.5 + delay) + 0.03 * sway(t, 3, bar * 1.7));
    return `M${x} ${(168 + float - lively / 2).toFixed(1)}v${lively.toFixed(1)}`;
  }).join('');
}

function surface(t) {
  const force = 0.5 + 1.6 * voice(t, 0.12);
  const tremble = ([x, y]) => {
    const far = Math.hypot(x - 985, 30);
    return rough([x, y + force * clamp((268 - Math.abs(x - 980)) / 110) * sway(t, 8, far / 24)]);
  };
  const ripples = BEATS.map((beat) => {
    const progress = since(t, beat + 0.1) / 1.3;
    if (progress >= 1) return '';
    const reach = 250 * (1 - (1 - progress) ** 1.6);
    const width = 5 * Math.sin(Math.PI * progress ** 0.7);
    return `<ellipse cx="985" cy="436" rx="${reach.toFixed(1)}" ry="${(reach * 0.11).toFixed(1)}"
 stroke-width="${width.toFixed(2)}"/>`;
  });
  const shape = closed([...TEA.map(tremble), ...TEA_FRONT]);
  return `<clipPath id="tea"><path d="${shape}"/></clipPath><path d="${shape}" fill="#B9713A"/>
<g fill="none" stroke="#D69C5E" clip-path="url(#tea)">${ripples.join('')}</g>
<path d="${line(SHINE.map(tremble))}" stroke="#E9BE86" stroke-width="10" fill="none" stroke-linecap="round"/>`;
}

function rings(t) {
  const circles = BEATS.map((beat) => {
    const progress = since(t, beat) / 1.3;
    if (progress >= 1) return '';
    const radius = 140 + 122 * (1 - (1 - progress) ** 1.7);
    const width = 13 * (1 - progress) ** 1.2;
    return `<circle cx="928" cy="744" r="${radius.toFixed(1)}" stroke-width="${width.toFixed(2)}"/>`;
  });
  return `<clipPath id="wall"><path d="${closed([...LEFT, ...RIGHT].map(rough))}"/></clipPath>
<g fill="none" stroke="#FFC08A" clip-path="url(#wall)">${circles.join('')}</g>`;
}

function speaker(t) {
  return DOTS.map(([cx, cy, r]) => {
    const far = Math.hypot(cx - 926, cy - 742);
    const push = voice(t, far / 900);
    const [x, y] = [926 + (cx - 926) * (1 + 0.05 * push), 742 + (cy - 742) * (1 + 0.05 * push)];
    const radius = r * (1 + 0.42 * push);
    const edge = Array.from({ length: 20 }, (_, step) => (step / 20) * TAU);
    return closed(edge.map((angle) => rough([x + radius * Math.cos(angle), y + radius * Math.sin(angle)])));
  }).join('');
}

/** The picture at t, from 0 to 1 (which is 0 again). */
export function frame(t) {
  return `${open}${BACK}${wire(t)}${steam(t)}${MUG}${surface(t)}${rings(t)}${FRONT}
<path d="${speaker(t)}" fill="#EDEFF0"/></svg>`;
}
