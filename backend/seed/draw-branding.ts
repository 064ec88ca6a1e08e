import type { Composition } from './compositions.ts';
import {
  arrow,
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

/** A mark under construction: strict shapes, compass lines, a correction by hand. */
export const monogram: Composition = (dice, { w, h }) => {
  const u = Math.min(w, h) / 12;
  const [top, bottom] = [h / 2 - u * 4.4, h / 2 + u * 4.4];
  const r = (bottom - top) / 4;
  const middle = top + 2 * r;
  const left = w / 2 - r * dice.between(1.5, 2);
  const bowl = left + r;
  const marks = [
    half(bowl, top + r, r, 1) + half(bowl, bottom - r, r, 1),
    half(bowl, middle, 2 * r, 1),
    half(bowl, top + r, r, 1) +
      polygon([
        { x: bowl, y: middle },
        { x: bowl + 2 * r, y: bottom },
        { x: bowl - r * 0.4, y: bottom },
      ]),
    sector(bowl, top, 2 * r, 0.25, 0.5) + sector(bowl, bottom, 2 * r, 0, 0.25),
    ring(bowl + r * 0.6, middle, 2 * r, r),
    polygon([
      { x: bowl, y: top },
      { x: bowl + 2.4 * r, y: middle },
      { x: bowl, y: bottom },
    ]),
    circle(bowl + r * 1.1, top + r, r) + rect(bowl, middle, 2.2 * r, 2 * r),
  ];
  const bar = rect(left, top, r * 1.35, 4 * r);
  const dot = {
    x: left + r * dice.between(-0.9, -0.3),
    y: dice.pick([top + r, bottom - r]),
    r: r * dice.between(0.75, 1),
  };
  const dots = clipped(
    `m${dice.whole(0, 1e9)}`,
    circle(dot.x, dot.y, dot.r),
    halftone(
      { x: dot.x - dot.r, y: dot.y - dot.r, w: dot.r * 2, h: dot.r * 2 },
      u * 0.36,
      (x) => 1.05 - (x - dot.x + dot.r) / (dot.r * 2),
    ),
  );
  const compass = {
    x: bowl + r * dice.pick([0, 1]),
    y: dice.pick([top + r, middle, bottom - r]),
    r: r * dice.pick([1.5, 2, 2.5]),
  };
  const corrected = { x: bowl + r * 0.9, y: dice.pick([top + r, bottom - r]) };
  const correction = dice.pick([
    () => lasso(dice, corrected.x, corrected.y, r * 1.35, r * 1.05, 2.2, u * 0.2),
    () =>
      arrow(
        dice,
        [
          { x: w - u * 1.2, y: h - u * 1.3 },
          { x: corrected.x + r * 2, y: corrected.y + r * 0.7 },
          { x: corrected.x + r * 1.25, y: corrected.y + r * 0.1 },
        ],
        u * 0.22,
      ),
    () => hatch(dice, { x: corrected.x - r * 0.7, y: corrected.y - r * 0.6, w: r * 1.5, h: r * 1.2 }, 8, u * 0.2),
  ])();
  const over =
    rule(0, top, w, top) +
    rule(0, bottom, w, bottom) +
    rule(0, middle, w, middle) +
    rule(left, 0, left, h) +
    rule(bowl, 0, bowl, h) +
    `<circle cx="${compass.x}" cy="${compass.y}" r="${compass.r}" fill="none" stroke="var-ink" stroke-width="3" stroke-dasharray="14 10"/>` +
    correction;
  const [one, two] = [bar + dots, dice.pick(marks)];
  const marker = circle(corrected.x, corrected.y, r * 1.15);
  return dice.chance(0.5) ? { machine: one, hand: two, marker, over } : { machine: two, hand: one, marker, over };
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
    { x: -20, y: floor + w / 90, w: w + 40, h: h - floor + 20 },
    w / 62,
    (_, y) => 0.85 - (y - floor) / (h - floor) / 1.4,
  );
  over +=
    rule(0, floor, w, floor, 8) +
    hatch(dice, { x: w * 0.06, y: floor + h * 0.06, w: w * 0.2, h: h * 0.06 }, 9, step * 0.035);
  return { ...plates, marker: circle(step * (star + 0.7), floor - h * 0.34, step * 0.82), over };
};
