import type { Composition } from './compositions.ts';
import {
  circle,
  clipped,
  face,
  halftone,
  lasso,
  loops,
  type Point,
  polygon,
  rays,
  rect,
  ring,
  rule,
  scribble,
  stroke,
  through,
} from './press.ts';

/** A ball jumps through the frames of a film; the pencil knows where it goes next. */
export const filmStrip: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  let over = '';
  const strips = h > w ? 3 : dice.pick([2, 3]);
  const frames = h > w ? 2 : strips + dice.whole(1, 2);
  const [on, other] = dice.chance(0.5) ? (['hand', 'machine'] as const) : (['machine', 'hand'] as const);
  const strip = h / strips;
  const gap = strip * 0.045;
  const path: Point[][] = [];
  for (let row = 0; row < strips; row++) {
    const top = row * strip;
    const holes = frames * 5;
    const band = strip * 0.13;
    plates[on] += rect(-20, top + gap, w + 40, strip - gap * 2);
    const jumps: Point[] = [];
    for (let i = 0; i <= holes; i++) {
      const x = (i + 0.5) * (w / holes) - w / holes / 4;
      over += `<g fill="var-paper">${rect(x, top + gap + band * 0.28, w / holes / 2, band * 0.48, 6)}${rect(x, top + strip - gap - band * 0.76, w / holes / 2, band * 0.48, 6)}</g>`;
    }
    for (let i = 0; i < frames; i++) {
      const [x, y, fw, fh] = [
        (i * w) / frames + gap * 0.6,
        top + gap + band,
        w / frames - gap * 1.2,
        strip - gap * 2 - band * 2,
      ];
      over += `<g fill="var-paper">${rect(x, y, fw, fh)}</g>`;
      const time = (i + 0.5) / frames + row * 0.37;
      const height = Math.abs(Math.sin(time * Math.PI * 1.5));
      const ball = { x: x + fw * (0.25 + 0.5 * ((i + row) % 2 ? 0.7 : 0.35)), y: y + fh * (0.78 - 0.5 * height) };
      jumps.push(ball);
      const scene = dice.whole(0, 4);
      const ground = y + fh * 0.78 + fh * 0.2;
      const back = [
        halftone({ x, y, w: fw, h: fh }, fw / 16, (_, at) => ((at - y) / fh) * 0.8),
        polygon([
          { x, y: y + fh },
          { x: x + fw * 0.5, y: y + fh * 0.42 },
          { x: x + fw, y: y + fh },
        ]),
        rect(x, ground - fh * 0.06, fw, fh * 0.3),
        [0, 1, 2, 3, 4]
          .map((bar) =>
            rect(x + (bar * fw) / 5 + fw / 20, y + fh * (0.35 + 0.13 * ((bar * 3 + row + i) % 4)), fw / 10, fh),
          )
          .join(''),
        rect(x, y, fw, fh),
      ][scene]!;
      over += clipped(
        `f${row}${i}${dice.whole(0, 1e6)}`,
        rect(x, y, fw, fh),
        `<g fill="var-${on}">${back}</g><g fill="var-${other}">${circle(ball.x, ball.y, fh * 0.24)}</g>`,
      );
      if (dice.chance(0.35)) over += face(dice, ball.x, ball.y, fh * 0.18, fh * 0.035);
    }
    path.push(jumps);
  }
  const width = Math.min(w, h) * 0.017;
  for (const jumps of path) {
    const arc = jumps.flatMap((ball, i) => {
      const next = jumps[i + 1];
      return next ? [ball, { x: (ball.x + next.x) / 2, y: Math.min(ball.y, next.y) - strip * 0.22 }] : [ball];
    });
    over += scribble(dice, arc, width);
  }
  const star = dice.pick(path)[dice.whole(0, frames - 1)]!;
  over += lasso(dice, star.x, star.y, strip * 0.3, strip * 0.27, 1.9, width);
  return { ...plates, over };
};

/** The blades of a shutter, alternately of each plate. */
export const aperture: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const [cx, cy] = [w / 2 + w * dice.between(-0.08, 0.08), h / 2];
  const outer = Math.hypot(w, h);
  const inner = Math.min(w, h) * dice.between(0.2, 0.27);
  const blades = dice.pick([6, 8]);
  const turn = dice.next();
  const corner = (i: number, r: number, extra = 0): Point => {
    const angle = ((i + turn) / blades) * 2 * Math.PI + extra;
    return { x: cx + Math.cos(angle) * r, y: cy + Math.sin(angle) * r };
  };
  for (let i = 0; i < blades; i++) {
    const blade = polygon([
      corner(i, inner),
      corner(i + 1, inner),
      corner(i + 1, outer, 0.95),
      corner(i, outer, 0.95),
      corner(i, outer, 0.62),
    ]);
    plates[i % 2 ? 'hand' : 'machine'] += blade;
  }
  const lens = Math.min(w, h) * 0.445;
  plates.machine += halftone({ x: 0, y: 0, w, h }, Math.min(w, h) / 42, (x, y) => {
    const far = Math.hypot(x - cx, y - cy);
    return far < lens ? 0 : (far - lens) / (lens * 1.3);
  });
  const u = Math.min(w, h) / 12;
  const play = polygon([
    { x: cx - inner * 0.3, y: cy - inner * 0.45 },
    { x: cx + inner * 0.5, y: cy },
    { x: cx - inner * 0.3, y: cy + inner * 0.45 },
  ]);
  const over =
    `<g fill="var-paper">${ring(cx, cy, lens + u * 0.12, lens - u * 0.12)}</g>` +
    `<g fill="var-ink">${play}</g>` +
    lasso(dice, cx, cy, inner * 0.84, inner * 0.8, 2.3, u * 0.17) +
    rays(dice, cx, cy, lens + u * 0.5, lens + u * 1.15, 9, u * 0.22, 'var-paper', dice.next(), dice.between(1.1, 1.3)) +
    loops(dice, w * 0.06, h * 0.93, u * 2.6, u * 0.8, 5, u * 0.15, 'var-paper');
  return { ...plates, marker: circle(cx, cy, inner * 1.05), over };
};

/** Two lights on one stage; where they meet somebody stands. */
export const spotlights: Composition = (dice, { w, h }) => {
  const floor = h * dice.between(0.76, 0.82);
  const middle = w * dice.between(0.42, 0.58);
  const [rx, ry] = [w * 0.26, h * 0.085];
  const beam = (from: Point, x: number) =>
    `${polygon([
      { x: from.x - w * 0.025, y: from.y },
      { x: from.x + w * 0.025, y: from.y },
      { x: x + rx, y: floor },
      { x: x - rx, y: floor },
    ])}<ellipse cx="${x}" cy="${floor}" rx="${rx}" ry="${ry}"/>`;
  const apart = w * 0.07;
  const machine = beam({ x: w * 0.27, y: -20 }, middle - apart);
  const hand = beam({ x: w * 0.73, y: -20 }, middle + apart);
  const u = Math.min(w, h) / 15;
  const [x, foot] = [middle, floor + ry * 0.35];
  const head = foot - u * 4.9;
  const wave = dice.chance(0.5) ? 1 : -1;
  const person =
    lasso(dice, x, head, u * 0.62, u * 0.66, 1.5, u * 0.2, 'var-paper') +
    stroke(
      through([
        { x, y: head + u * 0.7 },
        { x: x + u * 0.08, y: head + u * 1.8 },
        { x: x - u * 0.03, y: head + u * 3 },
      ]),
      u * 0.3,
      'var-paper',
    ) +
    scribble(
      dice,
      [
        { x: x - u * 0.02, y: head + u * 3 },
        { x: x - u * 0.5, y: head + u * 4 },
        { x: x - u * 0.75, y: foot },
      ],
      u * 0.26,
      'var-paper',
    ) +
    scribble(
      dice,
      [
        { x, y: head + u * 3 },
        { x: x + u * 0.55, y: head + u * 3.9 },
        { x: x + u * 0.7, y: foot },
      ],
      u * 0.26,
      'var-paper',
    ) +
    scribble(
      dice,
      [
        { x: x + u * 0.02, y: head + u * 1.2 },
        { x: x + wave * u, y: head + u * 0.9 },
        { x: x + wave * u * 1.5, y: head - u * 0.5 },
      ],
      u * 0.26,
      'var-paper',
    ) +
    scribble(
      dice,
      [
        { x, y: head + u * 1.25 },
        { x: x - wave * u * 0.9, y: head + u * 1.9 },
        { x: x - wave * u * 0.7, y: head + u * 2.7 },
      ],
      u * 0.26,
      'var-paper',
    );
  const dots = halftone({ x: 0, y: floor, w, h: h - floor }, u * 0.34, (px, y) => {
    const inside = ((px - middle) / (rx * 1.45)) ** 2 + ((y - floor) / (ry * 1.2)) ** 2 < 1;
    return inside ? 0 : 0.25 + (y - floor) / (h - floor) / 1.6;
  });
  const rig =
    rule(0, u * 0.5, w, u * 0.5, 8) +
    [0.27, 0.73].map((side) => `<g fill="var-ink">${rect(w * side - u * 0.7, 0, u * 1.4, u * 1.2)}</g>`).join('');
  const over = rig + person + rays(dice, x, head, u * 1.05, u * 1.55, 9, u * 0.13, 'var-paper', 0.55, 0.98);
  return {
    hand,
    machine: machine + dots,
    marker: `<ellipse cx="${middle}" cy="${floor}" rx="${rx * 1.5}" ry="${ry * 1.5}"/>`,
    over,
  };
};
