// What the satellite saw: natural fields from above, and across them one scan in heat colours.
let seed = 20;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
const warp = (x, y) => [
  x + 46 * Math.sin(y / 190 + 1) + 22 * Math.sin(x / 130),
  y + 60 * Math.sin(x / 260) + 26 * Math.sin(y / 120 + x / 300),
];
const at = ([x, y]) => `${Math.round(x)} ${Math.round(y)}`;
const edge = (x1, y1, x2, y2) =>
  Array.from({ length: 5 }, (_, i) => warp(x1 + ((x2 - x1) * i) / 5, y1 + ((y2 - y1) * i) / 5));
const parcels = [];
const split = (x1, y1, x2, y2, depth) => {
  const [w, h] = [x2 - x1, y2 - y1];
  if (depth === 0 || (w < 190 && h < 150 && random() < 0.55)) return parcels.push([x1, y1, x2, y2]);
  const cut = 0.36 + random() * 0.28;
  if (w > h * 0.95) {
    split(x1, y1, x1 + w * cut, y2, depth - 1);
    split(x1 + w * cut, y1, x2, y2, depth - 1);
  } else {
    split(x1, y1, x2, y1 + h * cut, depth - 1);
    split(x1, y1 + h * cut, x2, y2, depth - 1);
  }
};
split(-160, -140, 1760, 1340, 7);
const LAND = [
  '#5E8C3A',
  '#7FA544',
  '#3F7238',
  '#A8B650',
  '#C9A24B',
  '#B07A3C',
  '#8E5A34',
  '#D8BC6A',
  '#4C8048',
  '#9C6B3E',
];
let fields = '';
let trees = '';
for (const [x1, y1, x2, y2] of parcels) {
  const ring = [...edge(x1, y1, x2, y1), ...edge(x2, y1, x2, y2), ...edge(x2, y2, x1, y2), ...edge(x1, y2, x1, y1)];
  const d = `M${ring.map(at).join('L')}z`;
  fields += `<path d="${d}" fill="${LAND[Math.floor(random() * LAND.length)]}"/><path d="${d}" fill="${random() < 0.58 ? 'none' : `url(#p${Math.floor(random() * 7)})`}" stroke="#E9D9A0" stroke-width="5"/>`;
  for (let tree = 0; tree < 3; tree++) {
    if (random() < 0.62) continue;
    const [x, y] = warp(x1 + (x2 - x1) * random(), y1 + 6);
    const r = 9 + random() * 11;
    trees += `<ellipse cx="${Math.round(x + r)}" cy="${Math.round(y + r * 0.5)}" rx="${(r * 1.5).toFixed(0)}" ry="${r.toFixed(0)}" fill="${O}" opacity=".45"/><circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${r.toFixed(0)}" fill="#24552F"/><circle cx="${Math.round(x - r / 4)}" cy="${Math.round(y - r / 4)}" r="${(r * 0.55).toFixed(0)}" fill="#4B8A3C"/>`;
  }
}
const HEAT = ['#1A2FC4', C, '#6B7DFF', '#B4BEFF', P, M, '#FFC53A', '#FF8A2B', V, '#C2240A', '#8A1408'];
const CELL = 40;
const heat = HEAT.map(() => '');
for (let row = 0; row < 40; row++)
  for (let column = 0; column < 17; column++) {
    const [x, y] = [(column - 8.5) * CELL, (row - 20) * CELL];
    const hot =
      1.02 -
      Math.hypot((x - 30) / 640, (y + 30) / 600) +
      0.22 * Math.sin(x / 90 + y / 140) +
      (Math.abs(y) > 330 ? 0.16 * Math.sin(y / 70 - x / 160) : 0) +
      0.13 * (random() - 0.5) -
      (y > 260 ? 0.24 : 0);
    heat[Math.max(0, Math.min(HEAT.length - 1, Math.round(hot * 10)))] += `M${x} ${y}h40v40h-40z`;
  }
const hatch = (angle, gap, width, colour, opacity) =>
  `<pattern id="p${hatch.count++}" width="${gap}" height="${gap}" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><path d="M0 ${gap / 2}H${gap}" stroke="${colour}" stroke-width="${width}" opacity="${opacity}"/></pattern>`;
hatch.count = 0;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">
<defs>${hatch(12, 22, 6, '#2E4A1E', 0.3)}${hatch(78, 24, 7, '#F1E3AE', 0.28)}${hatch(-20, 20, 6, '#5B3418', 0.3)}${hatch(100, 30, 12, '#33591F', 0.32)}${hatch(40, 24, 6, '#F6EDC6', 0.25)}
<pattern id="p5" width="34" height="34" patternUnits="userSpaceOnUse" patternTransform="rotate(20)"><circle cx="17" cy="17" r="8" fill="#2F5A2A" opacity=".5"/></pattern><pattern id="p6" width="200" height="200" patternUnits="userSpaceOnUse"><path d="M0 60H200M0 150H200" stroke="#5B3418" stroke-width="3" opacity=".3"/></pattern></defs>
<rect width="1600" height="1200" fill="#E9D9A0"/>${fields}
<path d="M-40 260Q200 330 330 250T700 60T1000 -60" fill="none" stroke="#E9D9A0" stroke-width="44"/><path d="M-40 260Q200 330 330 250T700 60T1000 -60" fill="none" stroke="#3E8FB0" stroke-width="30"/>
<path d="M1660 640Q1420 700 1380 880T1200 1260" fill="none" stroke="#C79A62" stroke-width="22"/><path d="M1660 640Q1420 700 1380 880T1200 1260" fill="none" stroke="#F0DDB0" stroke-width="5" stroke-dasharray="16 18"/>
${trees}
<g transform="translate(1404 800) rotate(-52)"><path d="M-22-8h96v44h-96z" fill="${O}" opacity=".45"/><path d="M-30-20h60v40h-60z" fill="#E9C25C"/><path d="M-30-8h60M-30 6h60" stroke="#A56B22" stroke-width="4"/><ellipse cx="56" cy="-10" rx="22" ry="8" fill="${P}"/><ellipse cx="56" cy="10" rx="22" ry="8" fill="${P}"/></g>
<g transform="translate(230 940)"><path d="M30-30L150 20V90L60 80z" fill="${O}" opacity=".4"/><path d="M-60-50H60V-4H-60z" fill="#C3552B"/><path d="M-60-4H60V44H-60z" fill="#9A3C1E"/><path d="M-50-4V-50M-30-4V-50M-10-4V-50M10-4V-50M30-4V-50M50-4V-50M-50 44V-4M-30 44V-4M-10 44V-4M10 44V-4M30 44V-4M50 44V-4" stroke="#7A2C14" stroke-width="4"/></g>
<g transform="translate(790 600) rotate(17)"><path d="M-340-820H340V820H-340z" fill="${O}" opacity=".35" transform="translate(20 0)"/><path d="M-340-820H340V820H-340z" fill="${O}"/>
${heat.map((d, i) => (d ? `<path d="${d}" fill="${HEAT[i]}"/>` : '')).join('')}
<path d="M-340-820V820M340-820V820" stroke="${P}" stroke-width="9"/><path d="M-340-400h-44M-340-200h-26M-340 0h-44M-340 200h-26M-340 400h-44M340-400h44M340-200h26M340 0h44M340 200h26M340 400h44" stroke="${P}" stroke-width="9"/></g>
<!-- the farmer, who already knows -->
<g transform="translate(800 566)"><path d="M0 0L250 96Q300 112 322 150Q330 176 300 178Q276 178 262 150L220 142L-20 34z" fill="${O}"/><path d="M120 60L236 44L240 60L140 92z" fill="${O}"/><ellipse cx="0" cy="10" rx="58" ry="40" fill="${P}"/><path d="M-50 22Q-84 40-70 74L-44 60Q-40 40-20 34zM46 20Q86 20 92-14L66-22Q54-4 34 2z" fill="#8D5230"/><path d="M92-14q16-16 8-28l-32 8z" fill="#8D5230"/><path d="M-58 10Q0 60 58 10Q30 70-10 48z" fill="#B9C2CC"/><circle cx="0" cy="0" r="35" fill="#F0682A"/><path d="M-32-10Q0-38 32-6M-34 6Q4-26 30 18M-24 24Q6-4 14 32" fill="none" stroke="#A83A0C" stroke-width="6"/><path d="M-6 30Q20 54 8 92L-10 88Q2 56-20 40z" fill="#F0682A"/></g>
<g fill="none" stroke="${P}" stroke-width="10"><path d="M680 520V446H754M846 446H920V520M920 636V710H846M754 710H680V636"/></g>
</svg>
`);
