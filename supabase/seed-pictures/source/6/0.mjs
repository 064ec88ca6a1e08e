// Draws 0.svg: a hundred market stalls from above at night; nine of them have their lamp lit.

const SIDE = 10;
const STEP = { x: 100, y: 58 };
const LIT = new Set([12, 17, 25, 34, 41, 48, 63, 76, 88]);
const AWNINGS = ['#EE3A12', '#2E9E7A', '#F4B223', '#E0337A', '#5D78FF', '#EE3A12', '#F4B223', '#2E9E7A', '#EE3A12'];
const DARK = [
  ['#1E2A8C', '#2A3BB5'],
  ['#18216F', '#2433A0'],
  ['#221B5E', '#34298A'],
];
const GOODS = ['#EE3A12', '#F4B223', '#E4FF3A', '#EDEFF0', '#E0337A'];

let seed = 9;
const random = (low, high) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return low + (seed / 2147483648) * (high - low);
};
const whole = (low, high) => Math.round(random(low, high));

const stripes = (first, second) =>
  `<path d="M-56-50L0-82 56-50 0-18z" fill="${first}"/><path d="M-42-58L14-26-0-18-56-50zM-14-74L42-42 28-34-28-66z" fill="${second}"/>`;

function stall(index, litNumber) {
  const lit = litNumber >= 0;
  const [dark, light] = DARK[index % 3];
  const first = lit ? AWNINGS[litNumber] : dark;
  const second = lit ? '#FFF6DC' : light;
  const goods = Array.from({ length: 7 }, (_, place) => {
    const x = -38 + place * 6;
    return lit
      ? `<circle cx="${x}" cy="${-4 + place * 3.5}" r="6" fill="${GOODS[(place + litNumber) % 5]}"/><circle cx="${-x}" cy="${-4 + place * 3.5}" r="6" fill="${GOODS[(place + litNumber + 2) % 5]}"/>`
      : '';
  }).join('');
  return `<path d="M-44 0L0 26 0 50-44 24z" fill="${lit ? '#C9702B' : '#140F3D'}"/><path d="M44 0L0 26 0 50 44 24z" fill="${lit ? '#8E4A1C' : '#0D0A2B'}"/><path d="M-44 0L0-26 44 0 0 26z" fill="${lit ? '#FFE08A' : '#1A1450'}"/>${goods}<path d="M-44 4v-50M44 4v-50M0 30v-46" stroke="${lit ? '#FFD76A' : '#0D0A2B'}" stroke-width="4"/>${stripes(first, second)}<path d="M-56-50L0-18 0-6-56-38z" fill="${lit ? first : '#100B33'}"/><path d="M56-50L0-18 0-6 56-38z" fill="${lit ? '#270F11' : '#0A0722'}" opacity="${lit ? '.45' : '1'}"/>`;
}
const lamp = () =>
  '<path d="M0-70v-62" stroke="#FFF6DC" stroke-width="5"/><circle cy="-142" r="62" fill="url(#halo)"/><circle cy="-142" r="19" fill="#FFF6DC"/><circle cy="-142" r="11" fill="#E4FF3A"/>';
const person = (lit) => {
  const coat = lit ? ['#EE3A12', '#EDEFF0', '#F4B223', '#E0337A', '#6FD0AC'][whole(0, 4)] : '#2A2470';
  return `<ellipse cx="5" cy="3" rx="13" ry="6" fill="#07051C" opacity=".7"/><path d="M-11 0C-13-28-8-36 0-36S13-28 11 0z" fill="${coat}"/><circle cy="-43" r="9.500" fill="${lit ? '#6A3520' : '#171245'}"/>`;
};

const place = (column, row) => ({ x: 800 + (column - row) * STEP.x, y: 96 + (column + row) * STEP.y });
const items = [];
let litCount = 0;
for (let row = 0; row < SIDE; row++) {
  for (let column = 0; column < SIDE; column++) {
    const index = row * SIDE + column;
    const { x, y } = place(column, row);
    const litNumber = LIT.has(index) ? litCount++ : -1;
    if (litNumber >= 0)
      items.push({ y: -1, svg: `<ellipse cx="${x}" cy="${y + 30}" rx="190" ry="112" fill="url(#pool)"/>` });
    items.push({ y, svg: `<g transform="translate(${x} ${y})">${stall(index, litNumber)}</g>` });
    const crowd = litNumber >= 0 ? 13 : whole(0, 1);
    for (let count = 0; count < crowd; count++) {
      const angle = random(-0.3, Math.PI + 0.3);
      const px = Math.round(x + Math.cos(angle) * random(72, 116));
      const py = Math.round(y + 14 + Math.sin(angle) * random(46, 72));
      items.push({ y: py, svg: `<g transform="translate(${px} ${py})">${person(litNumber >= 0)}</g>` });
    }
    if (litNumber >= 0)
      items.push({
        y: 4000,
        svg: `<ellipse cx="${x}" cy="${y}" rx="230" ry="160" fill="url(#pool)" opacity=".5" style="mix-blend-mode:screen"/>`,
      });
    if (litNumber >= 0) items.push({ y: 5000, svg: `<g transform="translate(${x} ${y})">${lamp()}</g>` });
  }
}
items.sort((one, other) => one.y - other.y);

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">
<defs><filter id="r" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".02" numOctaves="2" seed="6"/><feDisplacementMap in="SourceGraphic" scale="5" xChannelSelector="R" yChannelSelector="G"/></filter>
<radialGradient id="pool"><stop stop-color="#FFB84A"/><stop offset=".45" stop-color="#EE7A2A" stop-opacity=".75"/><stop offset="1" stop-color="#EE3A12" stop-opacity="0"/></radialGradient>
<radialGradient id="halo"><stop stop-color="#FFF6A0"/><stop offset=".3" stop-color="#FFE06A" stop-opacity=".6"/><stop offset="1" stop-color="#FFC04A" stop-opacity="0"/></radialGradient></defs>
<rect width="1600" height="1200" fill="#0F0B38"/>
<g filter="url(#r)"><path d="M800 40L1860 650 800 1270-260 650z" fill="#171150"/>
<g transform="translate(-100 20)"><path d="M60 120h240v160H60z" fill="#0A0728"/><path d="M1500 70h260v220h-260z" fill="#0A0728"/></g>
${items.map(({ svg }) => svg).join('\n')}
</g>
</svg>
`,
);
