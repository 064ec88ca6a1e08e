// Twenty seconds: a spoken message as a row of millet; the roots mirror the stalks like the lower half of a waveform.
let seed = 99;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
const GROUND = 500;
const PHRASES = [
  [0, 9, 0.75],
  [11, 20, 1],
  [23, 34, 0.62],
  [38, 47, 0.95],
  [49, 55, 0.5],
  [58, 71, 0.85],
];
let stalks = '';
let leaves = '';
let roots = '';
let heads = '';
for (let i = 0; i < 72; i++) {
  const x = 52 + i * 21.1;
  const phrase = PHRASES.find(([from, to]) => i >= from && i <= to);
  const loud = phrase
    ? phrase[2] * Math.sin((Math.PI * (i - phrase[0] + 0.7)) / (phrase[1] - phrase[0] + 1.4)) * (0.62 + random() * 0.38)
    : 0.03;
  const height = Math.round(14 + loud * 370);
  const lean = Math.round((random() - 0.5) * 8);
  if (height < 40) {
    stalks += `M${x.toFixed(0)} ${GROUND}v-14m0 4l-7-8m7 8l7-8`;
    roots += `M${x.toFixed(0)} ${GROUND}v12`;
    continue;
  }
  const top = GROUND - height;
  stalks += `M${x.toFixed(0)} ${GROUND}L${(x + lean).toFixed(0)} ${top}`;
  for (let leaf = GROUND - 24; leaf > top + 70; leaf -= 44) {
    const side = (Math.round(leaf / 44) + i) % 2 ? 1 : -1;
    leaves += `M${x.toFixed(0)} ${leaf}q${side * 8}-30 ${side * 24}-${24 + Math.round(random() * 14)}`;
  }
  const long = Math.round(Math.min(96, height * 0.34));
  heads += `<g transform="translate(${(x + lean).toFixed(0)} ${top}) rotate(${lean})"><rect x="-9" y="-8" width="18" height="${long}" rx="9" fill="${V}"/><path d="M-4 0v${long - 20}M4 4v${long - 24}" stroke="${O}" stroke-width="4" stroke-dasharray="3 7"/></g>`;
  const deep = Math.round(height * 0.86);
  roots += `M${x.toFixed(0)} ${GROUND}q${lean} ${Math.round(deep / 2)} ${-lean} ${deep}`;
  for (let down = 26; down < deep - 18; down += 44) {
    const side = random() < 0.5 ? 1 : -1;
    roots += `M${x.toFixed(0)} ${GROUND + down}q${side * 6} 12 ${side * (8 + Math.round(random() * 7))} ${18 + Math.round(random() * 12)}`;
  }
}
let pegs = '';
for (let second = 0; second <= 20; second++) {
  const x = 40 + second * 76;
  const tall = second % 5 === 0;
  pegs += `<path d="M${x - 6} ${GROUND + 10}V${GROUND - (tall ? 54 : 28)}L${x} ${GROUND - (tall ? 64 : 36)}L${x + 6} ${GROUND - (tall ? 54 : 28)}V${GROUND + 10}z" fill="${tall ? O : P}" stroke="${O}" stroke-width="4"/>`;
}
let stones = '';
for (let i = 0; i < 24; i++)
  stones += `<ellipse cx="${Math.round(random() * 1600)}" cy="${Math.round(560 + random() * 330)}" rx="${Math.round(6 + random() * 16)}" ry="${Math.round(4 + random() * 9)}" fill="${i % 5 ? '#4A2A2A' : '#6B4038'}" transform="rotate(${Math.round(random() * 20 - 10)} 800 700)"/>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" width="1600" height="900">
<rect width="1600" height="900" fill="${M}"/><circle cx="1010" cy="270" r="215" fill="${P}"/><path d="M0 430Q300 330 620 400T1180 380T1600 340V${GROUND}H0z" fill="#B9CC4C"/>
<rect y="${GROUND}" width="1600" height="400" fill="${O}"/><path d="M0 730Q400 690 800 740T1600 720V900H0z" fill="#3B1D1C"/><path d="M0 840Q500 800 900 850T1600 830V900H0z" fill="#54302A"/>${stones}
<path d="M0 ${GROUND}H1600V${GROUND + 12}H0z" fill="#7A4A2C"/>
<path d="${roots}" stroke="${P}" stroke-width="5" fill="none" stroke-linecap="round"/>
<path d="${leaves}" stroke="#1B2FC2" stroke-width="5" fill="none" stroke-linecap="round"/><path d="${stalks}" stroke="${C}" stroke-width="7" fill="none" stroke-linecap="round"/>${pegs}${heads}
<path d="M1128 790q26-34 52 0t52 0 52-4" fill="none" stroke="#F29A86" stroke-width="20" stroke-linecap="round"/><path d="M1196 780l-4 22" stroke="#C4604E" stroke-width="9"/>
<g transform="translate(386 112)"><path d="M-64 12Q-10-48 40-18L70-14 44 2Q34 56-20 44L-84 78z" fill="${O}"/><path d="M-20 10Q10 0 24 20Q4 46-36 38z" fill="#5C3A34"/><circle cx="36" cy="-10" r="7" fill="${M}"/><path d="M56-16L86-8 54 0z" fill="#F7A81E"/><path d="M4 46l4 26M-12 46l2 26" stroke="#F7A81E" stroke-width="6"/></g>
</svg>
`);
