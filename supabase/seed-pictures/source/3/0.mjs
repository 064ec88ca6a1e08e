// Draws 0.svg: forty boats, seen from above, sail in the shape of one fish.

// Boats in each column, from the head to the tail.
const COLUMNS = [1, 3, 4, 5, 5, 5, 4, 3, 2, 1, 3, 4];
const HULLS = ['#EE3A12', '#EDEFF0', '#EE3A12', '#F4B223', '#EE3A12', '#2E9E7A', '#EDEFF0', '#EE3A12', '#F4B223'];
const SHIRTS = ['#E4FF3A', '#EDEFF0', '#EE3A12', '#F4B223'];

const HULL = 'M-62 0C-44-20-8-25 30-23Q54-20 60-12V12Q54 20 30 23C-8 25-44 20-62 0z';
const DECK = 'M-46 0C-32-13-6-17 28-15Q46-14 50-8V8Q46 14 28 15C-6 17-32 13-46 0z';
const LOADS = [
  '<path d="M-18-11h20v22h-20z" fill="#8FB6E8"/><path d="M-18-4h20M-18 4h20M-11-11v22M-4-11v22" stroke="#EDEFF0" stroke-width="2"/>',
  '<circle cx="-14" r="9" fill="#C9702B"/><circle cx="4" cy="-6" r="7" fill="#C9702B"/><circle cx="4" cy="7" r="6" fill="#C9702B"/>',
  '<path d="M-24-8L0 6M-24 0L0-9M-20 8L4-2" stroke="#DFE3E5" stroke-width="5" stroke-linecap="round"/>',
  '<path d="M-20-12h26v24h-26z" fill="#2A44F5"/><path d="M-20-12L6 12M6-12L-20 12" stroke="#EDEFF0" stroke-width="2"/>',
];

let count = 0;
const boats = COLUMNS.flatMap((boatsHere, column) =>
  Array.from({ length: boatsHere }, (_, row) => {
    const offset = row - (boatsHere - 1) / 2;
    const tail = column > 9;
    const gap = tail ? 146 : 120;
    const x = 118 + column * 121 + Math.abs(offset) * (tail ? 24 : 13) + ((row * 37 + column * 13) % 14) - 7;
    const y = 590 + offset * gap + ((column * 29 + row * 17) % 12) - 6;
    const turn = tail ? -offset * 17 : offset * (column < 3 ? 13 : column > 6 ? -6 : 3);
    return { x: Math.round(x), y: Math.round(y), turn: Math.round(turn), eye: column === 1 && row === 0 };
  }),
);
const at = ({ x, y, turn }) => `translate(${x} ${y}) rotate(${turn})`;
const boat = (place) => {
  const number = count++;
  const hull = place.eye ? '#E4FF3A' : HULLS[(number * 5) % HULLS.length];
  const load = place.eye ? '<circle cx="-8" r="12" fill="#270F11"/>' : LOADS[(number * 3) % LOADS.length];
  return `<g transform="${at(place)}"><path d="${HULL}" fill="${hull}"/><path d="${DECK}" fill="#3A1420"/><path d="M-50-3C-30-18 0-22 30-20" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="3"/>${load}<path d="M16-16V16" stroke="#C9702B" stroke-width="5"/><ellipse cx="32" rx="9" ry="13" fill="${SHIRTS[number % 4]}"/><circle cx="31" r="6.5" fill="#1B1220"/></g>`;
};
const shadow = (place) => `<g transform="translate(16 20) ${at(place)}"><path d="${HULL}"/></g>`;
const wake = (place) => `<g transform="${at(place)}"><path d="M70-8C96-14 110-6 140-14M70 8C92 14 112 4 150 12"/></g>`;
const ripple = (_, index) => {
  const row = Math.floor(index / 15);
  const x = (index % 15) * 118 - 60 + (row % 2) * 58 + ((index * 53) % 34);
  const y = row * 134 + 20 + ((index * 31) % 20);
  const wide = 30 + ((index * 71) % 44);
  return `M${x} ${y}q${wide / 2}-${8 + (index % 7)} ${wide} 0t${wide} 0`;
};

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">
<defs><filter id="r" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence type="fractalNoise" baseFrequency=".012" numOctaves="2" seed="6"/><feDisplacementMap in="SourceGraphic" scale="5" xChannelSelector="R" yChannelSelector="G"/></filter></defs>
<rect width="1600" height="1200" fill="#2A44F5"/>
<g filter="url(#r)"><path d="M-20 860C260 780 420 960 760 900S1300 980 1620 860V1230H-20z" fill="#1E33C9"/><path d="M-20 1040C300 960 500 1120 860 1060S1340 1130 1620 1040V1230H-20z" fill="#16259A"/><path d="M-20 240C300 330 560 150 900 220S1400 200 1620 260V-20H-20z" fill="#3F5CFF"/><path d="M-20 90C260 150 640 20 960 90S1420 60 1620 110V-20H-20z" fill="#5D78FF"/>
<path d="${Array.from({ length: 9 * 15 }, ripple).join('')}" fill="none" stroke="#8D9CFF" stroke-opacity=".55" stroke-width="6" stroke-linecap="round"/>
<g fill="#0E1770" opacity=".75">${boats.map(shadow).join('')}</g>
<g fill="none" stroke="#EDEFF0" stroke-width="4.500" stroke-linecap="round" opacity=".85">${boats.map(wake).join('')}</g>
${boats.map(boat).join('\n')}
<g transform="translate(1330 210) rotate(-24)"><path d="M60 110C-20 70-70 90-150 150-60 110-10 120 40 150 70 130 130 120 200 170 160 100 110 90 60 110z" fill="#0E1770" opacity=".6"/><path d="M0 0C-80-50-130-30-210 30-120-10-70 0-20 34-10 50 10 50 20 34 70 10 130 10 200 60 160-20 90-44 20 0 14-10 6-10 0 0z" fill="#EDEFF0"/><path d="M-210 30C-190 10-170 0-150-10l10 14zM200 60C190 36 176 20 160 8l-16 12z" fill="#1B1220"/><path d="M-6-6L4-30 14-6z" fill="#EDEFF0"/><path d="M1-24L4-38 8-24z" fill="#F4B223"/></g>
</g>
</svg>
`,
);
