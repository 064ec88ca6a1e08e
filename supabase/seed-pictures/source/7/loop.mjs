// The loop of 0.svg: up to a party, down to a living room and back to the tenth floor, with a passenger each.
// Who passes between the ninth and the tenth grows young on the way up and old on the way down.
import { beat, between, cover, fix, hold, ramp, swap, wave } from '../motion.mjs';

const SVG = cover(import.meta.dirname);
const GROUND = 1150;
const HEIGHT = 56;
const START = 9;
const TOP = 18;
const LOW = 6;
const LIGHT = '#FFF6D0';
const WOMAN = between(SVG, '<path d="M18 0l2-36', '</g>\n<path d="M60 1150');

const height = (floor) => GROUND - floor * HEIGHT;
const floorAt = (t) =>
  START + (TOP - START) * ramp(t, 0.03, 0.19) - (TOP - LOW) * ramp(t, 0.375, 0.6) + (START - LOW) * ramp(t, 0.8, 0.92);
const doorAt = {
  top: (t) => hold(t, 0.19, 0.22, 0.335, 0.365),
  low: (t) => hold(t, 0.6, 0.63, 0.765, 0.795),
};
const lampAt = { top: (t) => hold(t, 0.15, 0.19, 0.39, 0.45), low: (t) => hold(t, 0.56, 0.6, 0.82, 0.88) };

const mix = (from, to, part) =>
  `#${[1, 3, 5]
    .map((at) => {
      const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
      return Math.round(a + (b - a) * part)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;

// The homes behind dark windows are those of other floors on the same side: what the light shows is a different play.
const home = (floor, other, x, level) => {
  const start = `<path d="M${x} ${height(other) - 50}h560`;
  const room = between(SVG, start, `<path d="M${x === 150 ? 890 : 130} ${height(other) - (x === 150 ? 50 : 0)}`);
  return `<g opacity="${fix(level)}"><g transform="translate(0 ${height(floor) - height(other)})">${room}</g></g>`;
};

const play = (svg, t) => {
  let count = 0;
  const sway = (most, from = 2) => {
    count += 1;
    return fix(most * wave(t, from + (count % 3), (count % 7) / 7));
  };
  return svg
    .replace(/<path d="M(-?\d+) (-?\d+)L-?\d+ -?\d+" stroke="#\w+" stroke-width="5"/g, (arm, x, y) =>
      arm.replace('<path', `<path transform="rotate(${sway(11, 3)} ${x} ${y})"`),
    )
    .replace(
      /<path d="M(\d+)-50v10"[^>]*><path[^>]*><circle[^>]*>/g,
      (lamp, x) => `<g transform="rotate(${sway(9)} ${x} -50)">${lamp}</g>`,
    )
    .replace(
      /<path d="M80-50L90-12[^>]*><path[^>]*><g transform="translate\(116 -8\).*?<\/g>/g,
      (swing) => `<g transform="rotate(${sway(11)} 115 -60)">${swing}</g>`,
    )
    .replace(/<path d="M\d+ 0L(\d+)-26q7-8 14 0L\d+ 0z"[^>]*><circle[^>]*><path[^>]*>/g, (person, x) => {
      const turn = sway(2.5);
      return count % 2 ? person : `<g transform="rotate(${turn} ${x} 0)">${person}</g>`;
    })
    .replace(
      /<g fill="#\w+"><circle cx="(30|250)"[^>]*><circle[^>]*><\/g>/g,
      (balloons) => `<g transform="translate(0 ${sway(2)})">${balloons}</g>`,
    )
    .replace(/(M206-32h48v24h-48z" fill=")(#BFE6F2)/g, (_, path, blue) => path + mix(blue, '#5D78FF', beat(t, 3)))
    .replace(/M50-48q-6-6 0-10/g, `M50-48q${fix(-6 * Math.cos(8 * Math.PI * t))}-6 0-10`)
    .replace(
      /<path d="M60 0h110".*?<circle[^>]*>/g,
      (yoga) => `<g transform="scale(1 ${fix(1 - 0.2 * beat(t, 2))})">${yoga}</g>`,
    )
    .replace(
      /<circle cx="(\d+)"( cy="\d+" r="7" fill="#E4FF3A")/g,
      (_, x, rest) => `<circle cx="${fix(Number(x) + sway(26, 1))}"${rest}`,
    );
};

// Passengers stand at (29, 0) of the car; a step is a small hop.
const walker = (drawing, { x, y, size, level = 1, step = 0 }) =>
  `<g opacity="${fix(level)}" transform="translate(${fix(x)} ${fix(y - 3 * Math.abs(Math.sin(step * 4 * Math.PI)))})
    scale(${fix(size)}) translate(-29 0)">${drawing}</g>`;

const man = (age) =>
  `<g transform="skewX(${fix(-9 * age)})"><path d="M17 0l3-37q9-9 18 0l3 37z" fill="#2A44F5"/>
  <circle cx="29" cy="-46" r="8" fill="#6A3520"/>
  <path d="M21-46a8 9 0 0 1 16-2c-5-4-11-4-16 2z" fill="${mix('#270F11', '#AEB4BA', age)}"/></g>
  <path d="M12 0l4-28h6" stroke="#8E4A1C" stroke-width="3" fill="none" opacity="${fix(age)}"/>`;

const passengers = (t) => {
  const floor = floorAt(t);
  const car = height(floor) + 4;
  const out = ramp(t, 0.215, 0.315);
  const joins = ramp(t, 0.265, 0.335);
  const leaves = ramp(t, 0.625, 0.725);
  const comes = ramp(t, 0.69, 0.765);
  const girl = walker(WOMAN, {
    x: 829 + 150 * out,
    y: (out ? height(TOP) : car) + (out ? 4 - 4 * Math.min(1, 3 * out) : 0),
    size: 1 - 0.38 * (t < 0.3 ? ramp(floor, 9.1, 9.9) : 1),
    level: out ? lampAt.top(t) : 1,
    step: out,
  });
  const guest = walker(man(t < 0.375 ? 0 : 1 - ramp(floor, 9.1, 9.9)), {
    x: 915 - 86 * joins - 190 * leaves,
    y: joins < 1 || leaves ? height(leaves ? LOW : TOP) + 4 * (leaves ? 1 - Math.min(1, 2 * leaves) : joins) : car,
    size: 0.85 + 0.15 * joins - 0.12 * leaves,
    level: joins < 1 ? lampAt.top(t) : leaves ? lampAt.low(t) : 1,
    step: joins < 1 ? joins : leaves,
  });
  const woman = walker(WOMAN, {
    x: 690 + 139 * comes,
    y: comes < 1 ? height(LOW) + 4 * comes : car,
    size: 0.85 + 0.15 * comes,
    level: comes < 1 ? lampAt.low(t) : 1,
    step: comes,
  });
  return (t < 0.5 ? girl : '') + (t > 0.1 && t < 0.9 ? guest : '') + (t > 0.5 ? woman : '');
};

const doors = (t) =>
  [
    [TOP, 862, doorAt.top(t)],
    [LOW, 710, doorAt.low(t)],
  ]
    .map(([floor, x, open]) => {
      const y = height(floor);
      return `<path d="M${x} ${y - 46}h28v46h-28z" fill="${LIGHT}" opacity="${open > 0 ? 1 : 0}"/>
      <path d="M${x === 862 ? 884 : 710} ${y - 46}h6v${fix(46 * (1 - open))}h-6z" fill="#270F11"/>
      <path d="M${x === 862 ? x : 716} ${y - 46}h22v${fix(46 * (1 - open))}h-22z" fill="#8E4A1C"
      opacity="${open > 0 ? 1 : 0}"/>`;
    })
    .join('');

const lamps = (floor) =>
  Array.from({ length: TOP + 1 }, (_, index) => {
    const level = Math.max(0, 1 - Math.abs(floor - index));
    return level
      ? `<g fill="#E4FF3A" opacity="${fix(level)}"><circle cx="724" cy="${height(index) - 36}" r="5"/>
      <circle cx="876" cy="${height(index) - 36}" r="5"/></g>`
      : '';
  }).join('');

const dial = (floor) =>
  `<path d="M766 40a34 34 0 0 1 68 0" stroke="#F7D774" stroke-width="4" stroke-dasharray="4 6.03" fill="none"/>
  <path d="M800 40V16" stroke="#EDEFF0" stroke-width="5" stroke-linecap="round"
    transform="rotate(${fix((floor - START) * 9)} 800 40)"/>`;

export const frame = (t) => {
  const floor = floorAt(t);
  const car = fix(height(floor) + 4);
  const weight = fix(2 * height(START) + 8 - car);
  const gap = (x, open) => `<path d="M${x} 0h8v${fix(-58 * open)}h-8z" fill="${LIGHT}"/>`;
  const look = fix(3 * (doorAt.top(t) - doorAt.low(t)) + 1.5 * wave(t, 2) * (1 - doorAt.top(t) - doorAt.low(t)));
  const shaft = `${play(home(TOP, 15, 890, lampAt.top(t)) + home(LOW, 9, 150, lampAt.low(t)), t)}
    ${lamps(floor)}${doors(t)}${dial(floor)}`;
  return [
    [WOMAN, `${gap(58, doorAt.top(t))}${gap(-66, doorAt.low(t))}`],
    ['<circle cx="-20" cy="-56" r="8"', `<g transform="translate(${look} 0)"><circle cx="-20" cy="-56" r="8"`],
    ['<path d="M-29-56c0-14 18-14 18 0z" fill="#EDEFF0"/>', '<path d="M-29-56c0-14 18-14 18 0z" fill="#EDEFF0"/></g>'],
    ['translate(800 650)', `translate(800 ${car})`],
    [
      '<path d="M780 46V580M820 46V580" stroke="#8D96A0" stroke-width="4"/>',
      `${shaft}<path d="M780 46V${Math.max(car, weight) - 70}M820 46V${Math.max(car, weight) - 70}" stroke="#8D96A0"
        stroke-width="4"/><path d="M768 ${weight - 68}h64v60h-64z" fill="#16259A"/>
      <path d="M768 ${weight - 50}h64M768 ${weight - 28}h64" stroke="#5D78FF" stroke-width="4"/>`,
    ],
    ['<path d="M60 1150C66', `${passengers(t)}<path d="M60 1150C66`],
    ['<path d="M40 960c-50-20', `<path transform="rotate(${fix(4 * wave(t, 2, 0.1))} 40 960)" d="M40 960c-50-20`],
    [
      '<g stroke="#8D9CFF"',
      `<g transform="translate(${fix(12 * wave(t, 1))} ${fix(4 * wave(t, 2, 0.3))})"
      stroke="#8D9CFF"`,
    ],
  ].reduce((svg, [from, to]) => swap(svg, from, to), play(SVG, t));
};
