import type { Composition } from './compositions.ts';
import {
  circle,
  clipped,
  halftone,
  hatch,
  lasso,
  loops,
  type Point,
  polygon,
  rays,
  rect,
  scribble,
  shape,
} from './press.ts';

/** An eye made of dots, lashes made by hand. */
export const eye: Composition = (dice, { w, h }) => {
  const [cx, cy] = [w / 2, h * 0.53];
  const [rx, ry] = [w * 0.44, Math.min(h * 0.34, w * 0.27)];
  const almond = `M${cx - rx} ${cy}Q${cx} ${cy - ry * 2} ${cx + rx} ${cy}Q${cx} ${cy + ry * 2} ${cx - rx} ${cy}Z`;
  const look = { x: cx + rx * dice.between(-0.2, 0.2), y: cy + ry * dice.between(-0.08, 0.08) };
  const iris = ry * 0.78;
  const u = Math.min(w, h) / 12;
  const white = clipped(
    `e${dice.whole(0, 1e9)}`,
    shape(almond),
    halftone({ x: cx - rx, y: cy - ry, w: rx * 2, h: ry * 2 }, u * 0.36, (x, y) => {
      const far = Math.hypot(x - look.x, y - look.y);
      return far < iris * 1.02 ? 0 : Math.abs(x - cx) / rx / 1.15;
    }),
  );
  const machine = clipped(`i${dice.whole(0, 1e9)}`, shape(almond), circle(look.x, look.y, iris)) + white;
  const hand =
    shape(
      `M${cx - rx * 1.06} ${cy}Q${cx} ${cy - ry * 2.75} ${cx + rx * 1.06} ${cy}Q${cx} ${cy - ry * 2} ${cx - rx * 1.06} ${cy}Z`,
    ) + circle(look.x + iris * 0.24, look.y - iris * 0.1, iris * 0.62);
  const lashes = Array.from({ length: 9 }, (_, i) => {
    const t = (i + 1) / 10;
    const foot: Point = {
      x: (1 - t) ** 2 * (cx - rx) + 2 * t * (1 - t) * cx + t * t * (cx + rx),
      y: (1 - t) ** 2 * cy + 2 * t * (1 - t) * (cy - ry * 2.75) + t * t * cy,
    };
    const lean = (t - 0.5) * 2;
    return scribble(
      dice,
      [
        foot,
        { x: foot.x + lean * u * 0.7, y: foot.y - u * 0.5 },
        { x: foot.x + lean * u * 1.5, y: foot.y - u * dice.between(1, 1.5) },
      ],
      u * 0.24,
    );
  }).join('');
  const over =
    lashes +
    `<g fill="var-ink">${circle(look.x, look.y, iris * 0.3)}</g><g fill="var-paper">${rect(look.x + iris * 0.16, look.y - iris * 0.5, iris * 0.26, iris * 0.26)}</g>` +
    lasso(dice, look.x, look.y, iris * 1.03, iris * 1.03, 2.1, u * 0.15) +
    hatch(dice, { x: w * 0.06, y: h * 0.87, w: w * 0.24, h: h * 0.06 }, 9, u * 0.14);
  return { hand, machine, marker: rect(w * 0.56, h * 0.86, w * 0.38, h * 0.08), over };
};

/** Order on the left, unrest on the right, and the line that did it. */
export const unrest: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const cell = Math.min(w, h) / dice.pick([8, 9, 10]);
  const heart = { x: w * dice.between(0.58, 0.74), y: h * dice.between(0.4, 0.6) };
  const reach = Math.hypot(w, h) * 0.42;
  for (let y = cell * 0.9; y < h - cell * 0.4; y += cell) {
    for (let x = cell * 0.9; x < w - cell * 0.4; x += cell) {
      const calm = Math.min(1, Math.hypot(x - heart.x, y - heart.y) / reach);
      const wild = (1 - calm) ** 1.6;
      const size = cell * (0.37 + wild * dice.between(-0.1, 0.22));
      const angle = wild * dice.between(-1.6, 1.6);
      const centre = { x: x + wild * dice.between(-1, 1) * cell, y: y + wild * dice.between(-1, 1) * cell };
      const corners = [0, 1, 2, 3].map((i) => ({
        x: centre.x + Math.cos(angle + Math.PI / 4 + (i * Math.PI) / 2) * size * Math.SQRT2,
        y: centre.y + Math.sin(angle + Math.PI / 4 + (i * Math.PI) / 2) * size * Math.SQRT2,
      }));
      plates[wild > 0.1 && dice.chance(wild * 1.5) ? 'hand' : 'machine'] += polygon(corners);
    }
  }
  plates.hand += circle(heart.x, heart.y, Math.min(w, h) * 0.27);
  const u = Math.min(w, h) / 12;
  const knot = Array.from({ length: 26 }, (_, i) => {
    const angle = i * 1.9 + dice.between(-0.5, 0.5);
    const r = u * dice.between(0.6, 2.5);
    return { x: heart.x + Math.cos(angle) * r * 1.2, y: heart.y + Math.sin(angle) * r };
  });
  const over = scribble(
    dice,
    [
      { x: -20, y: h * 0.86 },
      { x: w * 0.16, y: h * 0.78 },
      { x: w * 0.36, y: h * 0.84 },
      ...knot,
      { x: w * 0.86, y: h * 0.2 },
      { x: w + 20, y: h * 0.1 },
    ],
    u * 0.22,
  );
  return { ...plates, marker: rect(0, h * 0.8, w * 0.34, u * 0.8), over };
};

/** The same hand twice: cut with scissors, and counted in squares. */
export const handprint: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const palm = { x: w * 0.5 - u * 1.6, y: h * 0.62 };
  const fingers = [
    { x: -1.72, lean: -0.2, long: 3.3, wide: 0.54 },
    { x: -0.58, lean: -0.06, long: 4.2, wide: 0.57 },
    { x: 0.6, lean: 0.07, long: 4.0, wide: 0.56 },
    { x: 1.72, lean: 0.22, long: 3.0, wide: 0.5 },
  ].map(({ x, lean, long, wide }) => ({
    from: { x: palm.x + x * u, y: palm.y - u * 1.1 },
    to: { x: palm.x + x * u + Math.sin(lean) * long * u, y: palm.y - u * 1.1 - Math.cos(lean) * long * u },
    wide: wide * u,
  }));
  const thumb = {
    from: { x: palm.x + u * 1.3, y: palm.y + u * 1 },
    to: { x: palm.x + u * 3.9, y: palm.y - u * 1 },
    wide: u * 0.6,
  };
  const bones = [...fingers, thumb];
  const bottom = h + u;
  const solid =
    bones.map(({ from, to, wide }) => capsule(from, to, wide)).join('') +
    rect(palm.x - u * 2.3, palm.y - u * 2, u * 4.6, u * 4.4, u * 1.5) +
    rect(palm.x - u * 1.45, palm.y + u, u * 2.9, bottom - palm.y);
  const inside = (p: Point) =>
    bones.some(({ from, to, wide }) => nearness(p, from, to) < wide) ||
    (Math.abs(p.x - palm.x) < u * 2.3 && Math.abs(p.y - palm.y - u * 0.2) < u * 2.2) ||
    (Math.abs(p.x - palm.x) < u * 1.45 && p.y > palm.y);
  const [dx, dy] = [u * dice.between(2.6, 3.4), u * dice.between(-0.5, 0.4)];
  const cell = u * dice.pick([0.42, 0.5]);
  let machine = '';
  for (let y = 0; y < h + cell; y += cell)
    for (let x = 0; x < w; x += cell)
      if (inside({ x: x + cell / 2 - dx, y: y + cell / 2 - dy })) machine += rect(x, y, cell * 0.88, cell * 0.88);
  const tip = fingers[1]!.to;
  const over =
    lasso(dice, palm.x, palm.y + u * 0.3, u * 1.1, u * 1.05, 3.4, u * 0.16) +
    rays(dice, tip.x, tip.y, u * 1, u * 1.6, 7, u * 0.2, undefined, 0.55, 1) +
    loops(dice, w * 0.07, h * 0.2, u * 2.2, u * 0.9, 4, u * 0.16);
  return { hand: solid, machine, marker: circle(palm.x + dx * 0.5, palm.y - u * 0.4, u * 3.6), over };
};

/** A thick line with round ends, as a filled shape: it takes the ink of its plate. */
function capsule(from: Point, to: Point, r: number): string {
  const angle = Math.atan2(to.y - from.y, to.x - from.x) + Math.PI / 2;
  const [dx, dy] = [Math.cos(angle) * r, Math.sin(angle) * r];
  const corner = (p: Point, side: number) => ({ x: p.x + dx * side, y: p.y + dy * side });
  return polygon([corner(from, 1), corner(to, 1), corner(to, -1), corner(from, -1)]) + circle(to.x, to.y, r);
}

/** Distance of a point from a line between two others. */
function nearness(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
