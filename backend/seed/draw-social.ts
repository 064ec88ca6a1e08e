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
  loops,
  polygon,
  rays,
  rect,
  scribble,
  sector,
  shape,
} from './press.ts';

/** Everybody talks at once. */
export const bubbles: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  let over = '';
  const u = Math.min(w, h) / 12;
  const places = [
    { x: 0.29, y: 0.3, r: 0.25 },
    { x: 0.7, y: 0.36, r: 0.29 },
    { x: 0.36, y: 0.69, r: 0.26 },
    { x: 0.8, y: 0.78, r: 0.17 },
  ];
  places.forEach(({ x, y, r }, i) => {
    const [cx, cy, size] = [
      w * x + dice.between(-0.4, 0.4) * u,
      h * y + dice.between(-0.3, 0.3) * u,
      Math.min(w, h) * r * dice.between(1, 1.18),
    ];
    const on = i % 2 ? 'machine' : 'hand';
    const wide = size * (w > h ? 1.3 : 1.05);
    const round = dice.chance(0.5);
    const side = dice.chance(0.5) ? 1 : -1;
    plates[on] +=
      (round
        ? `<ellipse cx="${cx}" cy="${cy}" rx="${wide}" ry="${size * 0.9}"/>`
        : rect(cx - wide, cy - size * 0.8, wide * 2, size * 1.6, size * 0.22)) +
      polygon([
        { x: cx + side * wide * 0.2, y: cy + size * 0.6 },
        { x: cx + side * wide * 0.62, y: cy + size * 0.55 },
        { x: cx + side * wide * 0.72, y: cy + size * 1.28 },
      ]);
    over += inBubble(dice, cx, cy, wide, size, u, i);
  });
  plates.machine += halftone(
    { x: 0, y: h * 0.72, w, h: h * 0.3 },
    u * 0.4,
    (_, y) => ((y - h * 0.72) / (h * 0.28)) * 0.75,
  );
  return { ...plates, marker: rect(w * 0.03, h * 0.44, w * 0.32, u * 0.9), over };
};

function inBubble(dice: Dice, x: number, y: number, wide: number, size: number, u: number, turn: number): string {
  const colour = turn % 2 ? 'var-on-machine' : 'var-on-hand';
  switch (turn) {
    case 0:
      return [-0.28, 0.12]
        .map((line) =>
          loops(
            dice,
            x - wide * 0.6,
            y + size * line + size * 0.16,
            wide * (line < 0 ? 1.2 : 0.8),
            size * 0.34,
            line < 0 ? 6 : 4,
            u * 0.2,
            colour,
          ),
        )
        .join('');
    case 1:
      return face(dice, x, y, size * 0.62, u * 0.34, colour);
    case 2:
      return hatch(dice, { x: x - wide * 0.55, y: y - size * 0.3, w: wide * 1.1, h: size * 0.6 }, 9, u * 0.24, colour);
    default:
      return [-0.45, 0, 0.45]
        .map((dot) => `<g fill="${colour}">${circle(x + dot * wide, y, size * 0.15)}</g>`)
        .join('');
  }
}

/** A crowd in two inks; one of them wears a crown. */
export const crowd: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  const rows = h > w ? 5 : 4;
  const size = h / (rows + 0.55) / 1.5;
  let [marker, over] = ['', ''];
  const chosen = { row: dice.whole(1, rows - 2), place: dice.whole(1, 2) };
  for (let row = 0; row < rows; row++) {
    const across = Math.ceil(w / (size * 1.75)) + 1;
    const base = size * 2.1 + row * size * 1.5;
    for (let i = 0; i < across; i++) {
      const x = (i + (row % 2 ? 0.1 : 0.6)) * size * 1.75 + dice.between(-0.1, 0.1) * size;
      const on = (i + row) % 2 ? 'hand' : 'machine';
      const r = size * dice.between(0.42, 0.52);
      const head = base - size * 0.72;
      if (row === chosen.row && i === chosen.place) {
        marker += circle(x, head + size * 0.1, size * 1.25);
        over += `<g fill="var-ink">${half(x, base + size * 0.75, size * 0.98, 0)}</g><g fill="var-paper">${circle(x, head, r * 1.1)}</g>`;
        over += face(dice, x, head, r * 0.8, size * 0.075);
        over += scribble(
          dice,
          [-0.62, -0.5, -0.22, 0, 0.24, 0.5, 0.64].map((at, k) => ({
            x: x + at * size,
            y: head - r * 1.15 - (k % 2 ? size * 0.5 : 0),
          })),
          size * 0.1,
        );
        continue;
      }
      plates[on] += circle(x, head, r) + half(x, base + size * 0.75, size * 0.95, 0);
      if (dice.chance(0.07)) over += face(dice, x, head, r * 0.75, size * 0.06, `var-on-${on}`);
      else if (dice.chance(0.1))
        over += hatch(dice, { x: x - r * 0.9, y: head - r * 1.25, w: r * 1.8, h: r * 0.7 }, 6, size * 0.06);
    }
  }
  plates.hand += halftone({ x: 0, y: 0, w, h: size * 1.3 }, size * 0.16, (_, y) => 0.75 - y / (size * 1.6));
  return { ...plates, marker, over };
};

/** Three screens, and what people do with them. */
export const phones: Composition = (dice, { w, h }) => {
  const plates = { hand: '', machine: '' };
  let over = '';
  const u = Math.min(w, h) / 12;
  const count = w > h * 1.2 ? 4 : 3;
  const wide = w / (count + 0.55);
  const tall = Math.min(wide * 1.95, h * 0.86);
  for (let i = 0; i < count; i++) {
    const x = w / 2 + (i - (count - 1) / 2) * wide * 1.02;
    const y = h / 2 + (i % 2 ? -1 : 1) * h * 0.075;
    const [left, top] = [x - wide * 0.43, y - tall / 2];
    const on = i % 2 ? 'hand' : 'machine';
    const other = i % 2 ? 'machine' : 'hand';
    plates[on] += rect(left, top, wide * 0.86, tall, wide * 0.11);
    const screen = { x: left + wide * 0.06, y: top + wide * 0.16, w: wide * 0.74, h: tall - wide * 0.34 };
    over += `<g fill="var-paper">${rect(screen.x, screen.y, screen.w, screen.h)}${rect(x - wide * 0.1, top + wide * 0.06, wide * 0.2, wide * 0.04, wide * 0.02)}</g>`;
    over += clipped(
      `p${i}${dice.whole(0, 1e9)}`,
      rect(screen.x, screen.y, screen.w, screen.h * 0.62),
      post(dice, { ...screen, h: screen.h * 0.62 }, on, other),
    );
    over += loops(
      dice,
      screen.x + screen.w * 0.08,
      screen.y + screen.h * 0.78,
      screen.w * 0.72,
      wide * 0.13,
      5,
      u * 0.1,
    );
    over += loops(
      dice,
      screen.x + screen.w * 0.08,
      screen.y + screen.h * 0.92,
      screen.w * 0.46,
      wide * 0.11,
      4,
      u * 0.1,
    );
  }
  const liked = {
    x: w / 2 + (dice.whole(0, count - 1) - (count - 1) / 2) * wide * 1.02 + wide * 0.36,
    y: h * dice.between(0.24, 0.34),
  };
  over += heart(dice, liked.x, liked.y, u * 1.35) + rays(dice, liked.x, liked.y, u * 1.7, u * 2.3, 10, u * 0.16);
  over += arrow(
    dice,
    [
      { x: w * 0.05, y: h * 0.92 },
      { x: w * 0.14, y: h * 0.85 },
      { x: w * 0.2, y: h * 0.9 },
      { x: w * 0.3, y: h * 0.8 },
    ],
    u * 0.18,
  );
  plates.machine += halftone(
    { x: 0, y: h * 0.76, w, h: h * 0.26 },
    u * 0.36,
    (_, y) => ((y - h * 0.76) / (h * 0.24)) * 0.6,
  );
  return { ...plates, marker: circle(liked.x, liked.y, u * 2.1), over };
};

function post(
  dice: Dice,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  on: string,
  other: string,
): string {
  const [front, back] = [`<g fill="var-${other}">`, `<g fill="var-${on}">`];
  switch (dice.whole(0, 3)) {
    case 0:
      return `${back}${halftone({ x, y, w, h }, w / 15, (_, at) => 0.1 + (at - y) / h)}</g>${front}${circle(x + w * 0.6, y + h * 0.42, w * 0.27)}</g>`;
    case 1:
      return `${back}${polygon([
        { x, y: y + h },
        { x: x + w * 0.45, y: y + h * 0.3 },
        { x: x + w, y: y + h },
      ])}</g>${front}${circle(x + w * 0.75, y + h * 0.24, w * 0.15)}${rect(x, y + h * 0.86, w, h * 0.14)}</g>`;
    case 2:
      return `${front}${rect(x, y, w, h)}</g><g fill="var-paper">${circle(x + w / 2, y + h / 2, w * 0.33)}</g>${face(dice, x + w / 2, y + h / 2, w * 0.26, w * 0.05)}`;
    default:
      return `${back}${sector(x, y + h, h, 0, 0.25)}</g>${front}${sector(x + w, y, w * 0.7, 0.5, 0.75)}</g>`;
  }
}

/** A heart: filled, then drawn around by hand. */
function heart(dice: Dice, x: number, y: number, r: number): string {
  const d = `M${x} ${y + r * 0.95}C${x - r * 1.7} ${y - r * 0.1} ${x - r * 0.8} ${y - r * 1.3} ${x} ${y - r * 0.4}C${x + r * 0.8} ${y - r * 1.3} ${x + r * 1.7} ${y - r * 0.1} ${x} ${y + r * 0.95}Z`;
  const outline = [
    [0, -0.4],
    [-0.5, -0.85],
    [-1, -0.45],
    [-0.7, 0.25],
    [0, 1],
    [0.75, 0.25],
    [1.02, -0.45],
    [0.5, -0.88],
    [-0.05, -0.3],
  ].map(([dx, dy]) => ({ x: x + dx! * r, y: y + dy! * r }));
  return `<g fill="var-hand">${shape(d)}</g>${scribble(dice, outline, r * 0.13)}`;
}
