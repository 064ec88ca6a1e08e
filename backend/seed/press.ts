import { createHash } from 'node:crypto';

/** Our press: two flat inks, their overprint, a marker and a pencil. Everything is a path; no font is ever needed. */

export interface Point {
  x: number;
  y: number;
}

/** Chance that always falls the same way for the same seed. */
export class Dice {
  #state: number;
  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32BE();
  }
  /** From 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
  chance(odds: number): boolean {
    return this.next() < odds;
  }
}

const at = (value: number) => Number(value.toFixed(1));

export const circle = (x: number, y: number, r: number) =>
  `<circle cx="${at(x)}" cy="${at(y)}" r="${at(Math.max(r, 0))}"/>`;

export const rect = (x: number, y: number, w: number, h: number, radius = 0) =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(w)}" height="${at(h)}" rx="${at(radius)}"/>`;

export const shape = (d: string) => `<path d="${d}" fill-rule="evenodd"/>`;

export const polygon = (points: readonly Point[]) =>
  shape(`M${points.map(({ x, y }) => `${at(x)} ${at(y)}`).join('L')}Z`);

/** A ring with inner radius `inner`. */
export const ring = (x: number, y: number, r: number, inner: number) => shape(disc(x, y, r) + disc(x, y, inner));

const disc = (x: number, y: number, r: number) =>
  `M${at(x - r)} ${at(y)}a${at(r)} ${at(r)} 0 1 0 ${at(2 * r)} 0a${at(r)} ${at(r)} 0 1 0 ${at(-2 * r)} 0Z`;

/** A piece of a disc, in turns of the clock: 0 is up, 0.25 is right. */
export function sector(x: number, y: number, r: number, from: number, to: number): string {
  const edge = (turn: number) => ({
    x: x + r * Math.sin(turn * 2 * Math.PI),
    y: y - r * Math.cos(turn * 2 * Math.PI),
  });
  const [a, b] = [edge(from), edge(to)];
  return shape(
    `M${at(x)} ${at(y)}L${at(a.x)} ${at(a.y)}A${at(r)} ${at(r)} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(b.x)} ${at(b.y)}Z`,
  );
}

/** A half disc that lies on its flat side, turned by quarters. */
export const half = (x: number, y: number, r: number, quarter: number) =>
  sector(x, y, r, quarter / 4 - 0.25, quarter / 4 + 0.25);

/**
 * A dot screen at 45°.
 * @param strength how dark at a point: 0 no dot, 1 dots that touch
 */
export function halftone(
  area: { x: number; y: number; w: number; h: number },
  pitch: number,
  strength: (x: number, y: number) => number,
): string {
  const dots: string[] = [];
  const step = pitch / Math.SQRT2;
  for (let row = 0, y = area.y; y <= area.y + area.h; row++, y += step) {
    for (let x = area.x + (row % 2 ? step : 0); x <= area.x + area.w; x += 2 * step) {
      const r = at(Math.sqrt(Math.min(Math.max(strength(x, y), 0), 1)) * step * 0.98);
      if (r > 0.8) dots.push(`M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${at(2 * r)} 0a${r} ${r} 0 1 0 ${at(-2 * r)} 0`);
    }
  }
  return `<path d="${dots.join('')}"/>`;
}

/** Cuts `content` out along `outline`. */
export function clipped(id: string, outline: string, content: string): string {
  return `<clipPath id="${id}">${outline}</clipPath><g clip-path="url(#${id})">${content}</g>`;
}

/** A smooth line through the points. */
export function through(points: readonly Point[]): string {
  const first = points[0]!;
  let d = `M${at(first.x)} ${at(first.y)}`;
  for (let i = 0; i < points.length - 1; i++) {
    const [a, b, c, e] = [
      points[Math.max(i - 1, 0)]!,
      points[i]!,
      points[i + 1]!,
      points[Math.min(i + 2, points.length - 1)]!,
    ];
    d += `C${at(b.x + (c.x - a.x) / 6)} ${at(b.y + (c.y - a.y) / 6)} ${at(c.x - (e.x - b.x) / 6)} ${at(c.y - (e.y - b.y) / 6)} ${at(c.x)} ${at(c.y)}`;
  }
  return d;
}

/** A stroke of the marker. `colour` is the pencil's ink unless told. */
export const stroke = (d: string, width: number, colour = 'var-ink') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${at(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;

const shaken = (dice: Dice, { x, y }: Point, by: number): Point => ({
  x: x + dice.between(-by, by),
  y: y + dice.between(-by, by),
});

/** A line drawn by hand through the points. */
export const scribble = (dice: Dice, points: readonly Point[], width: number, colour?: string) =>
  stroke(through(points.map((point) => shaken(dice, point, width * 0.45))), width, colour);

/** There and back again, filling a box. */
export function hatch(
  dice: Dice,
  box: { x: number; y: number; w: number; h: number },
  turns: number,
  width: number,
  colour?: string,
) {
  const points = Array.from({ length: turns * 2 }, (_, i) => ({
    x: box.x + (box.w * (i + dice.between(-0.35, 0.35))) / (turns * 2 - 1),
    y: i % 2 ? box.y + dice.between(-0.12, 0.3) * box.h : box.y + box.h + dice.between(-0.3, 0.12) * box.h,
  }));
  return stroke(through(points), width, colour);
}

/** A row of loops, like a word nobody can read. */
export function loops(
  dice: Dice,
  x: number,
  y: number,
  w: number,
  h: number,
  count: number,
  width: number,
  colour?: string,
) {
  const points: Point[] = [];
  const step = w / count;
  for (let i = 0; i < count; i++) {
    const tall = h * dice.between(0.55, 1);
    points.push({ x: x + i * step, y: y + dice.between(-0.05, 0.05) * h });
    points.push({ x: x + i * step + step * 0.95, y: y - tall * 0.45 });
    points.push({ x: x + i * step + step * 0.5, y: y - tall });
    points.push({ x: x + i * step + step * 0.15, y: y - tall * 0.5 });
  }
  points.push({ x: x + w, y });
  return stroke(through(points), width, colour);
}

/** Round and round, a little off each time. */
export function lasso(
  dice: Dice,
  x: number,
  y: number,
  rx: number,
  ry: number,
  turns: number,
  width: number,
  colour?: string,
) {
  const steps = Math.round(turns * 14);
  const start = dice.next() * 2 * Math.PI;
  const points = Array.from({ length: steps }, (_, i) => {
    const angle = start + (i / 14) * 2 * Math.PI;
    const off = 1 + dice.between(-0.035, 0.035) + (i / steps) * 0.07;
    return { x: x + Math.cos(angle) * rx * off, y: y + Math.sin(angle) * ry * off };
  });
  return stroke(through(points), width, colour);
}

/** An arrow along the points. */
export function arrow(dice: Dice, points: readonly Point[], width: number, colour?: string) {
  const [before, tip] = [points.at(-2)!, points.at(-1)!];
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
  const barb = (turn: number): Point => ({
    x: tip.x - Math.cos(angle + turn) * width * 5,
    y: tip.y - Math.sin(angle + turn) * width * 5,
  });
  return (
    scribble(dice, points, width, colour) +
    stroke(through([shaken(dice, barb(0.6), width * 0.4), tip, shaken(dice, barb(-0.65), width * 0.4)]), width, colour)
  );
}

/** Short strokes around a point, as for something that shines or shouts. */
export function rays(
  dice: Dice,
  x: number,
  y: number,
  from: number,
  to: number,
  count: number,
  width: number,
  colour?: string,
  start = 0,
  end = 1,
) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (start + ((end - start) * i) / count) * 2 * Math.PI + dice.between(-0.05, 0.05);
    const [a, b] = [from * dice.between(0.96, 1.05), to * dice.between(0.9, 1.12)];
    return stroke(
      `M${at(x + Math.cos(angle) * a)} ${at(y + Math.sin(angle) * a)}L${at(x + Math.cos(angle) * b)} ${at(y + Math.sin(angle) * b)}`,
      width,
      colour,
    );
  }).join('');
}

/** Two eyes and a mouth. */
export function face(dice: Dice, x: number, y: number, r: number, width: number, colour?: string) {
  const smile = dice.between(0.1, 0.5);
  return (
    stroke(`M${at(x - r * 0.4)} ${at(y - r * 0.35)}l0 ${at(r * 0.2)}`, width, colour) +
    stroke(`M${at(x + r * 0.4)} ${at(y - r * 0.38)}l0 ${at(r * 0.2)}`, width, colour) +
    scribble(
      dice,
      [
        { x: x - r * 0.5, y: y + r * 0.25 },
        { x, y: y + r * (0.25 + smile) },
        { x: x + r * 0.55, y: y + r * 0.2 },
      ],
      width,
      colour,
    )
  );
}

/** A strict thin line of the construction. */
export const rule = (x1: number, y1: number, x2: number, y2: number, width = 3, colour = 'var-ink') =>
  `<path d="M${at(x1)} ${at(y1)}L${at(x2)} ${at(y2)}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
