import type { Composition } from './compositions.ts';
import {
  circle,
  clipped,
  type Dice,
  face,
  half,
  halftone,
  hatch,
  lasso,
  loops,
  polygon,
  rays,
  rect,
  ring,
  rule,
  scribble,
  sector,
} from './press.ts';

/** A sheet of signs: one strict shape to a square, and one drawn by hand. */
export const tiles: Composition = (dice, { w, h }) => {
  const across = w > h ? 4 : 3;
  const size = w / across;
  const down = Math.ceil(h / size);
  const plates = { hand: '', machine: '' };
  let [marker, over] = ['', ''];
  const special = dice.whole(0, across * (down - 1) - 1);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const [x, y] = [column * size, row * size];
      const first = dice.chance(0.5) ? 'hand' : 'machine';
      const second = first === 'hand' ? 'machine' : 'hand';
      if (row * across + column === special) {
        marker += rect(x, y, size, size);
        plates[first] += circle(x + size / 2, y + size / 2, size * 0.36);
        over +=
          face(dice, x + size / 2, y + size / 2, size * 0.3, size * 0.05) +
          rays(dice, x + size / 2, y + size / 2, size * 0.4, size * 0.47, 11, size * 0.03);
        continue;
      }
      plates[first] += sign(dice, x, y, size);
      if (dice.chance(0.45)) plates[second] += sign(dice, x, y, size);
      if (dice.chance(0.12))
        over += loops(dice, x + size * 0.16, y + size * 0.62, size * 0.66, size * 0.3, 4, size * 0.035);
    }
  }
  const [cx, cy] = [w * dice.between(0.3, 0.7), h * dice.between(0.4, 0.6)];
  plates[dice.pick(['hand', 'machine'] as const)] += ring(cx, cy, size * 1.02, size * 0.72);
  return { ...plates, marker, over };
};

function sign(dice: Dice, x: number, y: number, size: number): string {
  const r = size / 2;
  switch (dice.whole(0, 7)) {
    case 0:
      return sector(x, y, size, 0.25, 0.5);
    case 1:
      return sector(x + size, y + size, size, 0.75, 1);
    case 2:
      return half(x + r, y + size, r, 0) + half(x + r, y + r, r, 0);
    case 3:
      return circle(x + r, y + r, r * dice.pick([1, 0.6]));
    case 4:
      return polygon([
        { x, y },
        { x: x + size, y: y + size },
        { x, y: y + size },
      ]);
    case 5:
      return [0, 2, 4].map((bar) => rect(x, y + (bar * size) / 5, size, size / 5)).join('');
    case 6:
      return halftone({ x: x + 6, y: y + 6, w: size - 12, h: size - 12 }, size / 9, (_, at) => 1 - (at - y) / size);
    default:
      return rect(x, y, size, r);
  }
}

/** A mark under construction: bar and bowls, compass lines, a correction. */
export const monogram: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const [left, top, bottom] = [w / 2 - u * 3.6, h / 2 - u * 4.4, h / 2 + u * 4.4];
  const tall = bottom - top;
  const r = tall / 4;
  const bowl = left + u * 2.2;
  const letter = dice.whole(0, 3);
  const bowls = [
    half(bowl, top + r, r, 1) + half(bowl, bottom - r, r, 1),
    half(bowl, top + tall / 2, tall / 2, 1),
    half(bowl, top + r, r, 1) +
      polygon([
        { x: bowl, y: top + tall / 2 },
        { x: bowl + r * 2, y: bottom },
        { x: bowl - u, y: bottom },
      ]),
    sector(bowl, top, tall / 2, 0.25, 0.5) + sector(bowl, bottom, tall / 2, 0, 0.25),
  ][letter]!;
  const bar = rect(left, top, u * 3, tall);
  const dotX = left + u * dice.between(6.6, 7.6);
  const over =
    rule(0, top, w, top) +
    rule(0, bottom, w, bottom) +
    rule(0, (top + bottom) / 2, w, (top + bottom) / 2) +
    rule(left, 0, left, h) +
    rule(bowl, 0, bowl, h) +
    `<circle cx="${bowl}" cy="${top + r}" r="${r * 1.5}" fill="none" stroke="var-ink" stroke-width="3" stroke-dasharray="14 10"/>` +
    lasso(dice, bowl + r * 0.4, bottom - r * 0.9, r * 1.5, r * 1.15, 2.2, u * 0.2) +
    scribble(
      dice,
      [
        { x: bowl + r * 2.1, y: bottom - r * 1.3 },
        { x: bowl + r * 2.8, y: bottom - r * 1.9 },
        { x: bowl + r * 3.1, y: bottom - r * 1.4 },
        { x: bowl + r * 3.6, y: bottom - r * 2.1 },
      ],
      u * 0.2,
    );
  const dots = clipped(
    `m${dice.whole(0, 1e9)}`,
    circle(dotX, top + u * 1.1, u * 2.1),
    halftone(
      { x: dotX - u * 2.2, y: top - u * 1.2, w: u * 4.4, h: u * 4.4 },
      u * 0.38,
      (x) => 1.05 - (x - dotX + u * 2.1) / (u * 4.4),
    ),
  );
  return {
    machine: bar,
    hand: bowls + dots,
    marker: rect(bowl + r * 2.4, bottom - u * 0.9, u * 3.4, u * 0.9),
    over,
  };
};

/** A shelf of packages. */
export const packs: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  let over = '';
  const floor = h * 0.82;
  const count = w > h ? 5 : 4;
  const step = w / (count + 0.4);
  let on: 'hand' | 'machine' = dice.pick(['hand', 'machine']);
  const star = dice.whole(0, count - 1);
  for (let i = 0; i < count; i++) {
    const x = step * (i + 0.7);
    const wide = step * dice.between(0.85, 1.15);
    const tall = h * dice.between(0.34, 0.62);
    const [left, top] = [x - wide / 2, floor - tall];
    const kind = dice.whole(0, 3);
    const neck = wide * 0.32;
    plates[on] += [
      rect(left, top, wide, tall),
      rect(left, top + tall * 0.3, wide, tall * 0.7, wide * 0.12) +
        rect(x - neck / 2, top, neck, tall * 0.4) +
        rect(x - neck * 0.65, top - wide * 0.05, neck * 1.3, wide * 0.16),
      rect(left, top + wide * 0.1, wide, tall - wide * 0.1, wide * 0.1) +
        rect(left + wide * 0.06, top - wide * 0.04, wide * 0.88, wide * 0.2),
      polygon([
        { x: left + wide * 0.22, y: top },
        { x: left + wide * 0.78, y: top },
        { x: left + wide, y: floor },
        { x: left, y: floor },
      ]),
    ][kind]!;
    const label = { x: left + wide * 0.14, y: top + tall * 0.5, w: wide * 0.72, h: tall * 0.32 };
    const other = on === 'hand' ? 'machine' : 'hand';
    switch (dice.whole(0, 2)) {
      case 0:
        over += `<g fill="var-paper">${rect(label.x, label.y, label.w, label.h)}</g>`;
        plates[other] += circle(x, label.y + label.h / 2, Math.min(label.w, label.h) * 0.34);
        over += loops(
          dice,
          label.x + label.w * 0.15,
          label.y + label.h * 0.68,
          label.w * 0.68,
          label.h * 0.4,
          4,
          step * 0.028,
        );
        break;
      case 1:
        plates[other] +=
          rect(label.x, label.y, label.w, label.h * 0.35) +
          rect(label.x, label.y + label.h * 0.6, label.w * 0.6, label.h * 0.2);
        break;
      default:
        plates[other] += half(x, label.y + label.h * 0.75, Math.min(label.w, label.h) * 0.7, 0);
    }
    if (i === star)
      over += rays(dice, x, top - step * 0.1, step * 0.18, step * 0.42, 7, step * 0.045, undefined, 0.52, 1.05);
    on = other;
  }
  plates.machine += halftone(
    { x: -20, y: floor + 8, w: w + 40, h: h - floor + 20 },
    w / 62,
    (_, y) => 0.85 - (y - floor) / (h - floor) / 1.4,
  );
  over +=
    rule(0, floor, w, floor, 8) +
    hatch(dice, { x: w * 0.06, y: floor + h * 0.06, w: w * 0.2, h: h * 0.06 }, 9, step * 0.035);
  return { ...plates, marker: circle(step * (star + 0.7), floor - h * 0.34, step * 0.82), over };
};
