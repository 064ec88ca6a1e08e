import type { Composition } from './compositions.ts';
import {
  arrow,
  circle,
  type Dice,
  halftone,
  hatch,
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
} from './press.ts';

/** Steps up, one plate after the other, and somebody who takes them two at a time. */
export const steps: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const count = w > h ? dice.pick([6, 7]) : 5;
  const wide = w / (count - 0.35);
  const u = Math.min(w, h) / 12;
  const tops: Point[] = [];
  for (let i = 0; i < count; i++) {
    const tall = h * (0.16 + 0.66 * (i / (count - 1)) ** dice.pick([1, 1.15]));
    const on = i % 2 ? 'hand' : 'machine';
    const x = i * wide - wide * 0.15;
    plates[on] += i % 3 === 1 ? stripes(x, h - tall, wide * 1.22, tall, u) : rect(x, h - tall, wide * 1.22, tall);
    tops.push({ x: x + wide * 0.6, y: h - tall });
  }
  const jumps = tops.flatMap((top, i) => {
    const next = tops[i + 1];
    return next
      ? [
          { x: top.x, y: top.y - u * 0.5 },
          { x: (top.x + next.x) / 2, y: next.y - u * 1.5 },
        ]
      : [{ x: top.x, y: top.y - u * 0.6 }];
  });
  const sun = { x: w * dice.between(0.2, 0.32), y: h * 0.27, r: u * 2.1 };
  plates.hand += circle(sun.x, sun.y, sun.r);
  plates.machine += halftone(
    { x: sun.x - sun.r * 1.5, y: sun.y - sun.r * 0.4, w: sun.r * 3, h: sun.r * 1.9 },
    u * 0.34,
    (x, y) => {
      const far = Math.hypot(x - sun.x - sun.r * 0.3, y - sun.y - sun.r * 0.5) / sun.r;
      return far > 1 ? 0 : 0.25 + (y - sun.y) / sun.r / 1.6;
    },
  );
  const over =
    scribble(dice, jumps.slice(0, -1), u * 0.22) +
    arrow(dice, jumps.slice(-3), u * 0.22) +
    tops
      .slice(1)
      .map(({ x, y }, i) =>
        i % 2 ? loops(dice, x - wide * 0.32, y + u * 1.5, wide * 0.6, u * 0.7, 3, u * 0.13, 'var-on-machine') : '',
      )
      .join('');
  return { ...plates, marker: rect(w * 0.62, u * 0.9, w * 0.3, u * 0.8), over };
};

const stripes = (x: number, y: number, w: number, h: number, u: number) =>
  Array.from({ length: Math.ceil(h / (u * 0.8)) }, (_, i) =>
    rect(x, y + i * u * 0.8, w, Math.min(u * 0.5, h - i * u * 0.8)),
  ).join('');

/** Rings around what matters, and a shot that hits it a little off. */
export const target: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const u = Math.min(w, h) / 12;
  const centre = { x: w * dice.between(0.42, 0.6), y: h * dice.between(0.46, 0.56) };
  const rings = dice.pick([4, 5]);
  const most = Math.hypot(w, h) * 0.43;
  for (let i = 0; i < rings; i++) {
    const r = most * (1 - i / rings);
    plates[i % 2 ? 'hand' : 'machine'] += ring(centre.x, centre.y, r, r - most / rings / (i % 2 ? 1.5 : 1.9));
  }
  const off = { x: centre.x + u * dice.between(1.6, 2.6), y: centre.y + u * dice.between(-1.4, 1.4) };
  plates.hand += circle(off.x, off.y, u * 2.5);
  plates.machine += halftone({ x: 0, y: 0, w, h }, u * 0.36, (x, y) =>
    Math.hypot(x - centre.x, y - centre.y) > most ? 0.22 : 0,
  );
  const from = { x: w * 0.05, y: h * (dice.chance(0.5) ? 0.12 : 0.9) };
  const over =
    rule(centre.x, 0, centre.x, h) +
    rule(0, centre.y, w, centre.y) +
    arrow(
      dice,
      [
        from,
        { x: from.x + (off.x - from.x) * 0.4, y: from.y + (off.y - from.y) * 0.2 },
        { x: off.x - u * 0.5, y: off.y },
      ],
      u * 0.26,
    ) +
    lasso(dice, off.x, off.y, u * 1.25, u * 1.15, 2.6, u * 0.2, 'var-on-hand') +
    rays(dice, off.x, off.y, u * 2.9, u * 3.6, 6, u * 0.22, undefined, -0.14, 0.2);
  return { ...plates, marker: circle(centre.x, centre.y, most / rings / 2.2), over };
};

/** A network of strict lines, stations, and the way somebody really went. */
export const lines: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const thick = u * 0.62;
  const plates = { hand: '', machine: '' };
  const stops: Point[] = [];
  const route = (fromTop: number, toTop: number, bend: number): string => {
    const [a, b, x] = [h * fromTop, h * toTop, w * bend];
    const run = Math.abs(b - a);
    stops.push({ x: w * dice.between(0.08, bend - 0.12), y: a }, { x: w * dice.between(bend + 0.24, 0.93), y: b });
    return thickLine(
      [
        { x: -30, y: a },
        { x, y: a },
        { x: x + run, y: b },
        { x: w + 30, y: b },
      ],
      thick,
    );
  };
  plates.machine +=
    route(0.2, dice.between(0.45, 0.55), 0.22) + route(0.8, dice.between(0.62, 0.7), 0.5) + route(0.12, 0.3, 0.62);
  plates.hand += route(dice.between(0.58, 0.66), 0.2, 0.3) + route(0.4, 0.84, 0.34);
  const down = w * dice.between(0.16, 0.24);
  plates.hand += rect(down, -20, thick, h + 40);
  plates.machine += rect(w * 0.8, -20, thick, h + 40);
  const goal = { x: w * 0.8 + thick / 2, y: h * dice.between(0.3, 0.42) };
  plates.hand += circle(goal.x, goal.y, u * 1.9);
  const station = ({ x, y }: Point) =>
    `<g fill="var-ink">${circle(x, y, thick * 0.82)}</g><g fill="var-paper">${circle(x, y, thick * 0.5)}</g>`;
  const way = wander(dice, { x: w * 0.07, y: h * 0.93 }, goal, u);
  const over =
    stops.map(station).join('') +
    scribble(dice, way, u * 0.24) +
    lasso(dice, goal.x, goal.y, u * 1.05, u * 1, 2.3, u * 0.22) +
    stroke(`M${w * 0.05} ${h * 0.9}l${u * 0.8} ${u * 0.7}m0 ${-u * 0.7}l${-u * 0.8} ${u * 0.7}`, u * 0.24) +
    hatch(dice, { x: w * 0.4, y: h * 0.9, w: w * 0.16, h: h * 0.05 }, 7, u * 0.13);
  const dots = halftone({ x: 0, y: 0, w, h }, u * 0.42, (x, y) =>
    Math.hypot(x - goal.x, y - goal.y) < u * 3.1 ? 0 : 0.32 - Math.hypot(x - goal.x, y - goal.y) / (w * 1.5),
  );
  return { ...plates, machine: plates.machine + dots, marker: circle(goal.x, goal.y, u * 2.9), over };
};

/** From one place to another by way of everything in between. */
function wander(dice: Dice, from: Point, to: Point, u: number): Point[] {
  const turns = 7;
  return Array.from({ length: turns + 1 }, (_, i) => {
    const t = i / turns;
    const stray = Math.sin(t * Math.PI) * u * 2.4;
    return {
      x: from.x + (to.x - from.x) * t + dice.between(-1, 1) * stray * 0.5,
      y: from.y + (to.y - from.y) * t + (i % 2 ? 1 : -1) * stray * dice.between(0.35, 1),
    };
  });
}

/** A line with a width, as a filled shape with mitred corners: it takes the ink of its plate. */
function thickLine(points: readonly Point[], width: number): string {
  const side = (sign: number) =>
    points.map((p, i) => {
      const [a, b] = [points[Math.max(i - 1, 0)]!, points[Math.min(i + 1, points.length - 1)]!];
      const before = i === 0 ? Math.atan2(b.y - p.y, b.x - p.x) : Math.atan2(p.y - a.y, p.x - a.x);
      const after = i === points.length - 1 ? before : Math.atan2(b.y - p.y, b.x - p.x);
      const middle = (before + after) / 2 + Math.PI / 2;
      const reach = width / 2 / Math.cos((after - before) / 2);
      return { x: p.x + Math.cos(middle) * reach * sign, y: p.y + Math.sin(middle) * reach * sign };
    });
  return polygon([...side(1), ...side(-1).reverse()]);
}
