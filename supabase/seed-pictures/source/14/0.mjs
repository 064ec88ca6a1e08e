// Two lines on a crate: Devgad mangoes in straw, packed in rows, behind a label with the orchard's name and the day.
let seed = 214;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const r = (from, to) => from + random() * (to - from);
const straw = (count, x1, x2, y1, y2, colours) => {
  const paths = colours.map(() => '');
  for (let i = 0; i < count; i++) {
    const [x, y] = [r(x1, x2), r(y1, y2)];
    paths[i % colours.length] +=
      `M${x.toFixed(0)} ${y.toFixed(0)}q${r(-40, 40).toFixed(0)} ${r(-26, 20).toFixed(0)} ${r(-90, 90).toFixed(0)} ${r(-20, 26).toFixed(0)}`;
  }
  return paths
    .map(
      (d, i) =>
        `<path d="${d}" stroke="${colours[i]}" stroke-width="${6 - (i % 3)}" fill="none" stroke-linecap="round"/>`,
    )
    .join('');
};
const mango = (x, y, scale, turn, kind) =>
  `<use href="#m${kind}" transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})"/>`;
const SHAPE = 'M-150 40Q-170-70-60-118Q40-156 120-90Q176-40 158 20Q140 84 60 112Q-20 136-90 116Q-140 96-150 40z';
const KINDS = [
  ['#F5A81C', '#FFCB4D', '#D97A12', '#F0643A'],
  ['#F2B52A', '#FFDC70', '#D98F14', '#9DB33A'],
  ['#EE9418', '#FFBE45', '#C8650E', '#E2452A'],
];
const defs = KINDS.map(
  ([base, light, dark, blush], i) =>
    `<clipPath id="c${i}"><path d="${SHAPE}"/></clipPath><g id="m${i}"><path d="${SHAPE}" fill="${base}"/><g clip-path="url(#c${i})"><path d="M-170 60Q-40 110 60 60Q130 20 150-60L200 140H-170z" fill="${dark}"/><path d="M60-140Q160-120 170 0Q120 20 90-30Q70-80 20-120z" fill="${blush}" opacity=".75"/><path d="M-140 20Q-140-70-50-100Q20-124 60-104Q0-92-50-60Q-110-20-110 40z" fill="${light}"/></g><path d="M-110-20Q-90-66-40-84" stroke="#FFF6D8" stroke-width="14" stroke-linecap="round" fill="none"/><g fill="#8A4A0C" opacity=".55"><circle cx="-20" cy="20" r="4"/><circle cx="30" cy="-20" r="4"/><circle cx="60" cy="40" r="3"/><circle cx="-60" cy="50" r="3"/><circle cx="10" cy="70" r="4"/><circle cx="90" cy="10" r="3"/></g><path d="M128-82l20-26" stroke="#4A2A0C" stroke-width="13" stroke-linecap="round"/></g>`,
).join('');
const back = [
  [250, 470, 0.72, 6, 1],
  [470, 440, 0.76, -12, 0],
  [710, 452, 0.76, 8, 2],
  [950, 436, 0.76, -6, 1],
  [1180, 458, 0.74, 14, 0],
  [1370, 480, 0.7, -8, 2],
];
const middle = [
  [330, 560, 0.9, -8, 2],
  [620, 560, 0.94, 10, 1],
  [920, 556, 0.94, -10, 0],
  [1220, 566, 0.92, 8, 1],
];
const front = [
  [210, 668, 0.98, 12, 0],
  [500, 676, 1.04, -8, 1],
  [812, 660, 1.06, 6, 2],
  [1120, 676, 1.04, -12, 0],
  [1400, 672, 0.98, 10, 1],
];
const row = (list) =>
  list
    .map(
      (m) =>
        `<ellipse cx="${m[0]}" cy="${m[1] + 60 * m[2]}" rx="${(160 * m[2]).toFixed(0)}" ry="${(80 * m[2]).toFixed(0)}" fill="#5A2C0C" opacity=".6"/>${mango(...m)}`,
    )
    .join('');
const grain = (y, n) => {
  let d = '';
  for (let i = 0; i < n; i++)
    d += `M${r(90, 900).toFixed(0)} ${(y + r(14, 120)).toFixed(0)}q${r(100, 200).toFixed(0)} ${r(-10, 10).toFixed(0)} ${r(260, 560).toFixed(0)} ${r(-6, 6).toFixed(0)}`;
  return `<path d="${d}" stroke="#A8713A" stroke-width="4" fill="none"/>`;
};
const STRAW = ['#E9C86A', '#C79A3C', '#F6E2A0', '#A87A2A'];
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">
<defs>${defs}</defs>
<rect width="1600" height="1200" fill="#2F6B4A"/><path d="M0 0H1600V380H0z" fill="#24543C"/>
<path d="M-40 300Q120 60 330 20Q250 180 60 330zM260 330Q300 120 480-30Q500 150 380 340zM1640 320Q1480 90 1250 30Q1330 200 1520 340zM1340 330Q1290 130 1090-30Q1080 160 1210 340zM640 320Q610 130 720-40Q800 120 740 330zM880 330Q880 150 1000-20Q1050 160 960 330z" fill="#3F8A54"/><path d="M-40 300Q120 60 330 20Q200 130 20 312zM260 330Q300 120 480-30Q400 150 320 336zM1640 320Q1480 90 1250 30Q1400 140 1580 330zM1340 330Q1290 130 1090-30Q1200 150 1280 336zM640 320Q610 130 720-40Q720 140 690 326zM880 330Q880 150 1000-20Q980 150 920 330z" fill="#63A85E"/>
<path d="M60 330L1540 330L1600 700H0z" fill="#7A4A1E"/><path d="M60 330H1540L1546 372H54z" fill="#B97F42"/><path d="M54 372H1546V386H54z" fill="#5A3412"/><path d="M60 330L0 700V560L40 330zM1540 330L1600 700V560L1560 330z" fill="#8F5C28"/>
${straw(150, 100, 1500, 390, 520, STRAW)}${row(back)}${straw(60, 100, 1500, 520, 560, STRAW)}${row(middle)}${straw(50, 80, 1520, 610, 650, STRAW)}${row(front)}${straw(130, 20, 1580, 728, 772, STRAW)}
<path d="M0 752H1600V1200H0z" fill="#5A3412"/>
<path d="M0 752H1600V900H0zM0 918H1600V1066H0zM0 1084H1600V1200H0z" fill="#D9A566"/><path d="M0 752H1600V764H0zM0 918H1600V930H0zM0 1084H1600V1096H0z" fill="#F0C68C"/><path d="M0 886H1600V900H0zM0 1052H1600V1066H0z" fill="#A8713A"/>
${grain(752, 9)}${grain(918, 9)}${grain(1084, 6)}<path d="M180 830q40-26 80 0q-40 30-80 0zM196 830q24-14 48 0M1330 1000q40-26 80 0q-40 30-80 0zM1346 1000q24-14 48 0" fill="none" stroke="#A8713A" stroke-width="5"/>
<path d="M96 740H176V1200H96zM1424 740H1504V1200H1424z" fill="#C48B4A"/><path d="M160 740H176V1200H160zM1488 740H1504V1200H1488z" fill="#8F5C28"/><g fill="#4A3A30"><circle cx="130" cy="800" r="10"/><circle cx="130" cy="850" r="10"/><circle cx="130" cy="966" r="10"/><circle cx="130" cy="1016" r="10"/><circle cx="130" cy="1130" r="10"/><circle cx="1458" cy="800" r="10"/><circle cx="1458" cy="850" r="10"/><circle cx="1458" cy="966" r="10"/><circle cx="1458" cy="1016" r="10"/><circle cx="1458" cy="1130" r="10"/></g>
${straw(44, 10, 1590, 744, 772, STRAW)}
<g transform="translate(420 806) rotate(-1.5)"><path d="M14 18H774V328H14z" fill="#3A1C08" opacity=".5"/><path d="M0 0H760V310H0z" fill="#F6EFDC"/><path d="M0 0H760V14H0z" fill="#EE3A12"/><path d="M0 296H760V310H0z" fill="#EE3A12"/><path d="M700 310L760 250V310z" fill="#D9CFB4"/>
<path d="M50 164H710M50 268H710" stroke="#B9B09A" stroke-width="4"/>
<!-- first line: the name, written with a brush: Devgad -->
<g transform="translate(20 -12) scale(1.4 1.12)" fill="none" stroke="#14208F" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"><path d="M40 68H440M112 68V94Q64 92 66 124Q68 148 94 142L124 168M112 68Q98 36 64 34M206 68V168M206 98Q152 84 152 120Q156 150 206 124M262 68V126Q260 146 240 138M310 68V168M386 68V90Q348 88 350 110Q354 126 386 122Q420 124 414 148Q406 172 362 160"/></g>
<!-- second line: the day, as seven boxes with one ticked -->
<g fill="none" stroke="#14208F" stroke-width="8"><path d="M60 196h60v56H60zM146 196h60v56h-60zM232 196h60v56h-60zM318 196h60v56h-60zM404 196h60v56h-60zM490 196h60v56h-60zM576 196h60v56h-60z"/></g><path d="M326 216l22 26 54-70" fill="none" stroke="#EE3A12" stroke-width="17" stroke-linecap="round" stroke-linejoin="round"/>
<g fill="#4A3A30"><circle cx="22" cy="34" r="8"/><circle cx="738" cy="34" r="8"/><circle cx="22" cy="276" r="8"/></g></g>
<!-- a leaf and an ant who found the crate -->
<path d="M1180 574Q1290 430 1470 440Q1400 590 1180 574z" fill="#3F8A54"/><path d="M1180 574Q1290 430 1470 440Q1340 500 1180 574z" fill="#7CBF64"/><path d="M1180 574Q1320 500 1460 444" stroke="#24543C" stroke-width="5" fill="none"/>
<g transform="translate(1290 860) rotate(-20)" fill="#270F11"><ellipse cx="-20" rx="16" ry="11"/><circle r="8"/><circle cx="16" r="10"/><path d="M-4 0l-14 24M2 0l4 26M6 0l20 22M-4 0l-14-24M2 0l4-26M6 0l20-22M22-4l14-14M24 2l18-4" stroke="#270F11" stroke-width="3"/></g>
</svg>
`);
