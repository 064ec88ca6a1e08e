import type { Composition } from './compositions.ts';
import {
  circle,
  clipped,
  face,
  half,
  halftone,
  hatch,
  lasso,
  loops,
  type Point,
  polygon,
  rays,
  rect,
  rule,
  scribble,
  sector,
  shape,
  stroke,
  through,
} from './press.ts';

/** Hills, a sun that overlaps them, birds. */
export const landscape: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const hill = (top: number, swing: number, from: number): string => {
    const points: Point[] = Array.from({ length: 6 }, (_, i) => ({
      x: -40 + (i * (w + 80)) / 5,
      y: h * top + Math.sin(i * 1.4 + from) * h * swing + dice.between(-0.02, 0.02) * h,
    }));
    return shape(`${through(points)}L${w + 60} ${h + 60}L-60 ${h + 60}Z`);
  };
  const sun = {
    x: w * dice.between(0.3, 0.7),
    y: h * dice.between(0.34, 0.42),
    r: Math.min(w, h) * dice.between(0.24, 0.3),
  };
  const sky = halftone({ x: 0, y: 0, w, h: h * 0.62 }, u * 0.38, (x, y) => {
    const far = Math.hypot(x - sun.x, y - sun.y) / sun.r;
    return far < 1.12 ? 0 : 0.62 - y / h;
  });
  const ridge = h * dice.between(0.5, 0.56);
  const peaks = polygon([
    { x: -20, y: h * 0.8 },
    { x: w * 0.18, y: ridge - h * 0.04 },
    { x: w * 0.34, y: h * 0.68 },
    { x: w * 0.56, y: ridge - h * 0.12 },
    { x: w * 0.78, y: h * 0.7 },
    { x: w * 0.9, y: ridge + h * 0.04 },
    { x: w + 20, y: h * 0.72 },
    { x: w + 20, y: h + 20 },
    { x: -20, y: h + 20 },
  ]);
  const bird = (x: number, y: number, size: number) =>
    scribble(
      dice,
      [
        { x: x - size, y: y - size * 0.4 },
        { x: x - size * 0.3, y: y - size * 0.5 },
        { x, y },
        { x: x + size * 0.35, y: y - size * 0.55 },
        { x: x + size, y: y - size * 0.3 },
      ],
      u * 0.17,
    );
  const over =
    bird(w * 0.18, h * 0.2, u) +
    bird(w * 0.27, h * 0.27, u * 0.65) +
    bird(w * 0.8, h * 0.17, u * 0.8) +
    hatch(dice, { x: w * 0.62, y: h * 0.84, w: w * 0.26, h: h * 0.07 }, 12, u * 0.16, 'var-on-hand') +
    loops(dice, w * 0.08, h * 0.93, w * 0.24, u * 0.7, 7, u * 0.16, 'var-on-hand');
  return {
    hand: circle(sun.x, sun.y, sun.r) + hill(0.8, 0.05, dice.next() * 6),
    machine: sky + peaks,
    marker: rect(0, h * 0.09, w * 0.2, u * 0.7),
    over,
  };
};

/** A table with a vase, fruit, and a line for every shadow. */
export const stillLife: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const table = h * 0.7;
  const x = w * dice.between(0.32, 0.42);
  const vase = shape(
    `M${x - u * 0.8} ${table - u * 5}h${u * 1.6}c0 ${u * 1.4} ${u * 1.5} ${u * 1.8} ${u * 1.5} ${u * 3.3}c0 ${u * 1.3} ${-u * 0.8} ${u * 2.3} ${-u * 1.5} ${u * 2.5}h${-u * 1.6}c${-u * 0.7} ${-u * 0.2} ${-u * 1.5} ${-u * 1.2} ${-u * 1.5} ${-u * 2.5}c0 ${-u * 1.5} ${u * 1.5} ${-u * 1.9} ${u * 1.5} ${-u * 3.3}Z`,
  );
  const leaf = (tip: Point, bulge: number) =>
    shape(
      `M${x} ${table - u * 4.9}Q${x + (tip.x - x) * 0.3 - bulge} ${tip.y + u} ${tip.x} ${tip.y}Q${x + (tip.x - x) * 0.9 + bulge} ${tip.y + u * 1.9} ${x} ${table - u * 4.9}Z`,
    );
  const tips = [
    { x: x - u * 2.8, y: table - u * 7.4 },
    { x: x - u * 0.5, y: table - u * 8.3 },
    { x: x + u * 2.4, y: table - u * 7.6 },
  ];
  const fruit = [
    { x: w * 0.62, r: u * 1.5 },
    { x: w * 0.62 + u * 2.3, r: u * 1.25 },
    { x: w * 0.62 + u * 1.2, r: u * 1.1, up: u * 1.9 },
  ].map(({ x: fx, r, up = 0 }) => ({ x: fx, y: table - u * 1.5 - r - up, r }));
  const bowl = half(w * 0.62 + u * 1.1, table - u * 2.2, u * 2.9, 2);
  const cloth = halftone(
    { x: 0, y: table, w, h: h - table },
    u * 0.4,
    (_, y) => 0.85 - ((y - table) / (h - table)) * 0.5,
  );
  const window = { x: w * 0.58, y: h * 0.08, w: w * 0.3, h: h * 0.34 };
  const over =
    rule(0, table, w, table, 8) +
    stroke(
      through([
        { x, y: table - u * 5 },
        { x: x - u * 1.2, y: table - u * 6.2 },
        { x: x - u * 2.5, y: table - u * 7.1 },
      ]),
      u * 0.12,
    ) +
    stroke(
      through([
        { x, y: table - u * 5 },
        { x: x + u * 1.1, y: table - u * 6.3 },
        { x: x + u * 2.1, y: table - u * 7.2 },
      ]),
      u * 0.12,
    ) +
    face(dice, fruit[2]!.x, fruit[2]!.y, fruit[2]!.r * 0.7, u * 0.13) +
    lasso(dice, x, table - u * 1.6, u * 1.2, u * 0.9, 2.4, u * 0.18, 'var-on-hand') +
    hatch(dice, { x: w * 0.62 - u, y: table + u * 0.7, w: u * 4.6, h: u * 0.9 }, 12, u * 0.15) +
    `<g fill="none" stroke="var-ink" stroke-width="8">${rect(window.x, window.y, window.w, window.h)}</g>` +
    rule(window.x + window.w / 2, window.y, window.x + window.w / 2, window.y + window.h, 8);
  return {
    hand:
      vase +
      fruit.map((f) => circle(f.x, f.y, f.r)).join('') +
      sector(window.x, window.y + window.h, window.h * 0.75, 0, 0.25),
    machine:
      tips.map((tip, i) => leaf(tip, (i - 1) * u * 0.8)).join('') +
      bowl +
      cloth +
      rect(-20, h * 0.4, w * 0.14, table - h * 0.4),
    marker: rect(window.x, window.y, window.w, window.h),
    over,
  };
};

/** Shapes balanced on each other, which should not be possible. */
export const totem: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const u = Math.min(w, h) / 12;
  const towers = w > h * 1.1 ? [0.27, 0.7] : [0.5];
  let over = '';
  for (const place of towers) {
    const x = w * place;
    let y = h - u * 0.9;
    for (let i = 0; y > u * 2.4; i++) {
      const on = i % 2 ? 'hand' : 'machine';
      const wide = u * dice.between(1.9, 3.4) * (1 - i * 0.04);
      const tall = Math.min(wide * dice.between(0.5, 0.9), y - u * 0.9);
      const lean = dice.between(-0.35, 0.35) * u;
      const kind = dice.whole(0, 4);
      const sunk = u * 0.34;
      const top = y - tall;
      plates[on] += [
        rect(x + lean - wide, top, wide * 2, tall + sunk),
        half(x + lean, y + sunk, Math.min(wide, tall + sunk) * 1.05, 0),
        circle(x + lean, y - tall / 2 + sunk / 2, (tall + sunk) / 2),
        polygon([
          { x: x + lean - wide * 0.7, y: y + sunk },
          { x: x + lean + wide * 0.7, y: y + sunk },
          { x: x + lean + wide * 1.15, y: top },
          { x: x + lean - wide * 1.15, y: top },
        ]),
        clipped(
          `t${dice.whole(0, 1e9)}`,
          rect(x + lean - wide * 0.9, top, wide * 1.8, tall + sunk),
          halftone(
            { x: x + lean - wide, y: top, w: wide * 2, h: tall + sunk },
            u * 0.34,
            (dx) => 0.2 + (dx - x - lean + wide) / (wide * 2.2),
          ),
        ),
      ][kind]!;
      if (i === 1 && place === towers[0])
        over += face(
          dice,
          x + lean,
          y - tall / 2 + sunk / 2,
          Math.min(tall, wide) * 0.42,
          u * 0.17,
          kind === 4 ? undefined : `var-on-${on}`,
        );
      if (i === 2)
        over += loops(
          dice,
          x + lean - wide * 0.55,
          y - tall * 0.3,
          wide * 1.05,
          tall * 0.42,
          5,
          u * 0.15,
          kind === 4 ? undefined : `var-on-${on}`,
        );
      y = top;
    }
    over += rays(dice, x, y, u * 0.55, u * 1.1, 7, u * 0.18, undefined, 0.55, 1);
    over += scribble(
      dice,
      [
        { x: x - u * 4.4, y: h - u * 0.5 },
        { x: x - u, y: h - u * 0.75 },
        { x: x + u * 4.4, y: h - u * 0.55 },
      ],
      u * 0.28,
    );
  }
  const edge = towers.length === 2 ? w * 0.485 : w * 0.12;
  over += scribble(
    dice,
    Array.from({ length: 9 }, (_, i) => ({ x: edge + (i % 2 ? 1 : -1) * u * 0.5, y: h * 0.2 + i * h * 0.07 })),
    u * 0.2,
  );
  return { ...plates, marker: rect(0, h * 0.62, w, u * 1.1), over };
};
