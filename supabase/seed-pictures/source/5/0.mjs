// Draws 0.svg: sixty hands, ten by six, no two alike; seven of them wear a ring.

const CELL = { width: 160, height: 200 };
const TILES = ['#2A44F5', '#EE3A12', '#DFE3E5', '#F4B223', '#270F11', '#2A44F5', '#E4FF3A', '#EE3A12', '#1F7A63'];
const SKINS = [
  ['#8A4B2D', '#6A3520'],
  ['#C68552', '#9C5B36'],
  ['#5E3320', '#43220F'],
  ['#A9643C', '#7F4526'],
  ['#DDA978', '#B57A4A'],
  ['#74402A', '#54290F'],
];
const SLEEVES = ['#EDEFF0', '#7B1E54', '#2F5FA8', '#F4B223', '#2E8B57', '#B7AEC6', '#E86A8A'];

let seed = 20;
const random = (low, high) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return low + (seed / 2147483648) * (high - low);
};
const whole = (low, high) => Math.round(random(low, high));
const end = ([x, y], length, angle) => [
  Math.round(x + length * Math.sin((angle * Math.PI) / 180)),
  Math.round(y - length * Math.cos((angle * Math.PI) / 180)),
];
const line = ([x, y], [toX, toY]) => `M${x} ${y}L${toX} ${toY}`;
/** The point a share of the way from one point to another. */
const along = ([x, y], [toX, toY], share) => [Math.round(x + (toX - x) * share), Math.round(y + (toY - y) * share)];

/** A band across a finger. */
function band([from, to], share, thick) {
  const [x, y] = along(from, to, share);
  const angle = Math.round((Math.atan2(to[0] - from[0], from[1] - to[1]) * 180) / Math.PI);
  return { x, y, angle, half: thick / 2 };
}
const ring = (finger, thick, index) => {
  const { x, y, angle, half } = band(finger, 0.34, thick);
  return `<g transform="translate(${x} ${y}) rotate(${angle})"><path d="M${-half - 1}-4h${thick + 2}v8h${-thick - 2}z" fill="#F7D774"/><path d="M${-half - 1} 1h${thick + 2}v3h${-thick - 2}z" fill="#B98A2E"/><path d="M-8-6L-4-13H4L8-6 0 3z" fill="${['#EE3A12', '#E4FF3A', '#8D9CFF', '#EDEFF0'][index % 4]}"/></g>`;
};

function hand(index) {
  const column = index % 10;
  const row = Math.floor(index / 10);
  const [skin, shade] = SKINS[(index * 5 + row) % SKINS.length];
  const tile = TILES[(index * 4 + row * 3) % TILES.length];
  const thick = whole(15, 23);
  const size = random(0.86, 1.06);
  const palm = thick * 3.5;
  const spread = random(3, 13);
  const folded = index % 11 === 3 ? [2, 3] : index % 13 === 5 ? [1, 2] : index % 17 === 9 ? [3] : [];
  const fingers = [0, 1, 2, 3].map((finger) => {
    const from = [Math.round(-palm / 2 + thick * 0.5 + finger * thick * 0.88), finger === 3 ? -14 : -22];
    const length = [46, 58, 54, 38][finger] * (folded.includes(finger) ? 0.35 : random(0.94, 1.08));
    return [from, end(from, length, (finger - 1.4) * spread)];
  });
  const thumbFrom = [Math.round(-palm / 2 + 6), 26];
  const thumb = [thumbFrom, end(thumbFrom, random(38, 48), -random(28, 62))];
  const strokes = [...fingers, thumb].map(([from, to]) => line(from, to)).join('');
  const half = Math.round(palm / 2);
  const palmPath = `M${-half}-20H${half}V20Q${half} 44 ${half - 12} 56V120H${-half + 12}V60Q${-half} 44 ${-half} 20z`;
  const nails = ['#EE3A12', '#F3C9AE', '#7B1E54', '#F3C9AE', '#F3C9AE'][index % 5];
  const back = index % 3 !== 1;
  const details = [
    back &&
      fingers
        .filter((_, finger) => !folded.includes(finger))
        .map((finger) => {
          const { x, y, angle } = band(finger, 1, thick);
          return `<ellipse cx="${x}" cy="${y}" rx="${Math.round(thick * 0.26)}" ry="6" fill="${nails}" transform="rotate(${angle} ${x} ${y})"/>`;
        })
        .join(''),
    back &&
      `<path d="${fingers
        .map((finger) => along(finger[0], finger[1], 0.52))
        .map(([x, y]) => `M${x - 4} ${y}q4 4 8 0`)
        .join('')}" stroke="${shade}" stroke-width="2.500" fill="none"/>`,
    !back &&
      `<path d="M${-half + 8} 6Q0-14 ${half - 6}-2M${-half + 8} 10Q4 10 ${half - 10} 30M${-half + 12} 14Q4 24 ${-half + 24} 54" stroke="${shade}" stroke-width="3" fill="none"/>`,
    index % 7 === 2 &&
      `<g fill="none" stroke="#7A1F0A" stroke-width="3"><circle cy="14" r="12"/><circle cy="14" r="5"/><path d="M0-4v-12M-16 14h-10M16 14h10M0 32v12"/></g>`,
    index % 10 === 4 &&
      `<path d="M${-half + 10} 72h${2 * half - 20}M${-half + 10} 82h${2 * half - 20}M${-half + 10} 92h${2 * half - 20}" stroke="#2E8B57" stroke-width="6"/><path d="M${-half + 10} 77h${2 * half - 20}M${-half + 10} 87h${2 * half - 20}" stroke="#F7D774" stroke-width="3"/>`,
    index % 12 === 6 &&
      `<path d="M${-half + 8} 62h${2 * half - 16}v16h${-2 * half + 16}z" fill="#1B1220"/><circle cy="70" r="13" fill="#F7D774"/><circle cy="70" r="9" fill="#EDEFF0"/><path d="M0 70v-6M0 70h5" stroke="#1B1220" stroke-width="2"/>`,
    index % 19 === 8 &&
      (({ x, y, angle }) =>
        `<path d="M${-thick / 2 - 1}-8h${thick + 2}v16h${-thick - 2}z" fill="#F6DDBF" transform="translate(${x} ${y}) rotate(${angle})"/>`)(
        band(fingers[0], 0.7, thick),
      ),
    index % 14 === 11 &&
      (([x, y]) => `<path d="M${x} ${y - 6}v12" stroke="#3B1E8A" stroke-width="5" stroke-linecap="round"/>`)(
        fingers[0][1],
      ),
    index % 9 === 1 && ring(fingers[2], thick, Math.floor(index / 9)),
  ];
  const sleeve = SLEEVES[(index * 3 + row) % SLEEVES.length];
  const cuff = index % 4 === 0 ? 82 : 96;
  const side = (index + row) % 2 ? -1 : 1;
  return `<svg x="${column * CELL.width}" y="${row * CELL.height}" width="${CELL.width}" height="${CELL.height}" viewBox="0 0 160 200"><rect width="160" height="200" fill="${tile}"/><g transform="translate(80 104) scale(${(side * size).toFixed(2)} ${size.toFixed(2)}) rotate(${whole(-9, 9)})"><g fill="${shade}" stroke="${shade}" stroke-linejoin="round" transform="translate(3 2)"><path d="${strokes}" stroke-width="${thick}" stroke-linecap="round"/><path d="${palmPath}" stroke-width="4"/></g><path d="${strokes}" stroke="${shade}" stroke-width="${thick + 4}" stroke-linecap="round"/><path d="${strokes}" stroke="${skin}" stroke-width="${thick - 1}" stroke-linecap="round"/><path d="${palmPath}" fill="${skin}"/><path d="M${half} 20Q${half} 44 ${half - 12} 56V120H${half - 26}V50Q${half - 8} 40 ${half} 20z" fill="${shade}"/>${details.filter(Boolean).join('')}<path d="M${-half + 2} ${cuff}H${half - 2}L${half + 8} 150H${-half - 8}z" fill="${sleeve}"/><path d="M${half - 18} ${cuff}H${half - 2}L${half + 8} 150H${half - 14}z" fill="#270F11" opacity=".3"/></g></svg>`;
}

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">
<rect width="1600" height="1200" fill="#270F11"/>
<g fill="none">
${Array.from({ length: 60 }, (_, index) => hand(index)).join('\n')}
</g>
</svg>
`,
);
