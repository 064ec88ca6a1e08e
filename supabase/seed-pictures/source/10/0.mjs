// The cupboard: packs objects, drawn once each, tightly on the shelves of a steel almirah.
let seed = 41;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
/** Objects with their base line at y = 0 and their centre at x = 0: width, and drawing in two colours `a` and `b`. */
const THINGS = [
  [
    46,
    (a, b) =>
      `<path d="M0-6L-17-112Q0-140 17-112z" fill="${a}"/><path d="M0-6V-126M-9-112L0-10L9-112" stroke="${b}" stroke-width="3" fill="none"/><path d="M0-128V-158Q0-172 13-172Q25-172 25-160" fill="none" stroke="${b}" stroke-width="7"/>`,
  ],
  [
    70,
    (a, b) =>
      `<rect x="-32" y="-36" width="64" height="36" rx="5" fill="${a}"/><rect x="-32" y="-74" width="64" height="36" rx="5" fill="${b}"/><rect x="-32" y="-112" width="64" height="36" rx="5" fill="${a}"/><path d="M-36-4V-128H36V-4M-12-128q12-22 24 0" fill="none" stroke="${b}" stroke-width="5"/>`,
  ],
  [
    96,
    (a, b) =>
      `<path d="M-44 0V-18Q-20-20-8-58H18Q12-28 40-22Q46-12 44 0z" fill="${a}"/><path d="M-44-8H44" stroke="${b}" stroke-width="8"/><path d="M-6-44l16 6M-12-34l18 6" stroke="${b}" stroke-width="4"/>`,
  ],
  [
    84,
    (a, b) =>
      `<circle cy="-40" r="40" fill="${a}"/><path d="M0-58l17 12-6 20h-22l-6-20zM0-80v22M38-48L17-46M-38-48L-17-46M24-8L11-26M-24-8L-11-26" fill="${b}" stroke="${b}" stroke-width="4"/>`,
  ],
  [
    44,
    (a, b) =>
      `<path d="M-16-4V-100Q-16-108-6-112V-160H6V-112Q16-108 16-100V-4Q0 4-16-4z" fill="${a}"/><path d="M-6-116H6M-6-128H6M-6-140H6M-6-152H6" stroke="${b}" stroke-width="5"/><path d="M-8-94V-14" stroke="${b}" stroke-width="3"/>`,
  ],
  [
    104,
    (a, b) =>
      `<path d="M-48-14Q-50-82 0-84Q50-82 50-40L20-38Q18-14 22-4L-30-2Q-48-2-48-14z" fill="${a}"/><path d="M4-62Q44-66 50-40L20-38Q2-40 4-62z" fill="${b}"/><path d="M-34-40Q-32-66-8-72" fill="none" stroke="${b}" stroke-width="6"/>`,
  ],
  [
    92,
    (a, b) =>
      `<circle cx="-22" cy="-104" r="14" fill="${a}"/><circle cx="22" cy="-104" r="14" fill="${a}"/><circle cy="-84" r="30" fill="${a}"/><ellipse cy="-34" rx="34" ry="34" fill="${a}"/><circle cx="-36" cy="-46" r="13" fill="${a}"/><circle cx="36" cy="-46" r="13" fill="${a}"/><ellipse cx="-24" cy="-8" rx="20" ry="12" fill="${a}"/><ellipse cx="24" cy="-8" rx="20" ry="12" fill="${a}"/><ellipse cy="-32" rx="18" ry="20" fill="${b}"/><ellipse cy="-76" rx="12" ry="9" fill="${b}"/><circle cx="-11" cy="-92" r="4" fill="${O}"/><circle cx="12" cy="-92" r="4" fill="${O}"/><path d="M-5-78h10" stroke="${O}" stroke-width="5"/>`,
  ],
  [
    52,
    (a, b) =>
      `<rect x="-24" y="-100" width="48" height="100" rx="8" fill="${a}"/><path d="M-18-100L-14-128H14L18-100z" fill="${b}"/><path d="M-24-70H24M-24-40H24" stroke="${b}" stroke-width="10"/><path d="M24-84q20 26 0 54" fill="none" stroke="${b}" stroke-width="6"/>`,
  ],
  [
    92,
    (a, b) =>
      `<circle cy="-52" r="40" fill="${a}"/><circle cy="-52" r="29" fill="${P}"/><path d="M0-52V-74M0-52L14-46" stroke="${O}" stroke-width="5"/><path d="M-26-92a13 13 0 0 1 22-8M26-92a13 13 0 0 0-22-8M-24-20L-34 0M24-20L34 0" stroke="${b}" stroke-width="9" fill="none"/>`,
  ],
  [
    118,
    (a, b) =>
      `<rect x="-56" y="-78" width="112" height="78" rx="9" fill="${a}"/><circle cx="-24" cy="-38" r="24" fill="${b}"/><path d="M-38-38h28M-34-48h20M-34-28h20" stroke="${a}" stroke-width="4"/><rect x="10" y="-64" width="36" height="14" fill="${P}"/><circle cx="18" cy="-28" r="8" fill="${b}"/><circle cx="40" cy="-28" r="8" fill="${b}"/><path d="M40-78L62-140" stroke="${b}" stroke-width="4"/>`,
  ],
  [
    84,
    (a, b) =>
      `<rect x="-40" y="-22" width="80" height="22" fill="${a}"/><rect x="-36" y="-44" width="70" height="22" fill="${b}"/><rect x="-38" y="-64" width="76" height="20" fill="${P}"/><path d="M-38-58H34M-38-52H34" stroke="${O}" stroke-width="2"/><path d="M-40-16H40M-30-44v22M26-44v22" stroke="${O}" stroke-width="4"/>`,
  ],
  [
    120,
    (a, b) =>
      `<rect x="-58" y="-86" width="116" height="86" rx="8" fill="${a}"/><path d="M-18-86v-14h36v14" fill="none" stroke="${b}" stroke-width="8"/><path d="M-34-86V0M34-86V0" stroke="${b}" stroke-width="8"/><circle cx="0" cy="-46" r="16" fill="${P}"/><path d="M-8-46h16" stroke="${V}" stroke-width="5"/>`,
  ],
  [
    72,
    (a, b) =>
      `<circle cy="-118" r="21" fill="${b}"/><path d="M-22-118a22 22 0 0 1 44 0q-10-12-22-12t-22 12z" fill="${a}"/><path d="M-14-96H14L36 0H-36z" fill="${a}"/><path d="M-26-34H26M-32-14H32" stroke="${b}" stroke-width="7"/><circle cx="-7" cy="-114" r="3" fill="${O}"/><circle cx="7" cy="-114" r="3" fill="${O}"/>`,
  ],
  [
    104,
    (a, b) =>
      `<path d="M-34 0Q-46-58-20-76H20Q46-58 34 0z" fill="${a}"/><path d="M30-50L58-74" stroke="${a}" stroke-width="13"/><path d="M-28-70Q0-124 28-70" fill="none" stroke="${b}" stroke-width="7"/><path d="M-22-76H22" stroke="${b}" stroke-width="10"/><path d="M-24-20Q-30-46-16-60" fill="none" stroke="${P}" stroke-width="5"/>`,
  ],
  [
    58,
    (_a, _b) =>
      `<path d="M-24 0L-28-72H28L24 0z" fill="${P}"/><path d="M-24 0L-27-50H27L24 0z" fill="${C}"/><path d="M-19-34Q0-52 19-34L16-24Q0-36-16-24z" fill="${V}"/><path d="M-17-22Q0-10 17-22L14-14Q0-4-14-14z" fill="${V}"/><path d="M-15-30Q0-42 15-30M-13-22Q0-14 13-22" stroke="${P}" stroke-width="6" fill="none"/>`,
  ],
  [
    66,
    (a, b) =>
      `<path d="M-30-126H30Q28-72 8-64V-18H26V0H-26V-18H-8V-64Q-28-72-30-126z" fill="${a}"/><path d="M-30-118Q-54-116-46-96Q-40-80-22-82M30-118Q54-116 46-96Q40-80 22-82" fill="none" stroke="${a}" stroke-width="7"/><path d="M0-114l5 11 12 1-9 8 3 12-11-6-11 6 3-12-9-8 12-1z" fill="${b}"/>`,
  ],
  [
    100,
    (a, b) =>
      `<path d="M-46 0V-84Q0-168 46-84V0z" fill="none" stroke="${a}" stroke-width="6"/><path d="M-28 0V-108M-9 0V-122M9 0V-122M28 0V-108M-46-40H46" stroke="${a}" stroke-width="3"/><path d="M-50-5H50" stroke="${b}" stroke-width="10"/><path d="M-10-42Q-14-70 8-70Q24-68 20-48L34-40H0z" fill="${b}"/><circle cx="12" cy="-60" r="3" fill="${O}"/>`,
  ],
  [
    76,
    (a, b) =>
      `<path d="M-28-46H28L22 0H-22z" fill="${a}"/><path d="M0-46Q-4-90-34-104Q-30-66 0-46Q-2-104 6-134Q22-92 0-46Q16-84 40-88Q30-58 0-46" fill="${b}"/><path d="M-31-46H31V-36H-31z" fill="${a}" stroke="${O}" stroke-width="2"/>`,
  ],
  [
    38,
    (a, b) =>
      `<path d="M-14 0V-76Q-14-92-6-98V-128H6V-98Q14-92 14-76V0z" fill="${a}"/><rect x="-14" y="-62" width="28" height="34" fill="${P}"/><path d="M-8-50h16M-8-40h10" stroke="${O}" stroke-width="3"/><rect x="-8" y="-136" width="16" height="12" fill="${b}"/>`,
  ],
  [
    94,
    (a, b) =>
      `<path d="M-44 0L-38-72H38L44 0z" fill="${a}"/><path d="M-20-72Q-20-120 0-120Q20-120 20-72" fill="none" stroke="${b}" stroke-width="7"/><path d="M-41-30H41M-40-46H40" stroke="${b}" stroke-width="6"/><path d="M-30-20l10 10 10-10 10 10 10-10 10 10 10-10" fill="none" stroke="${P}" stroke-width="4"/>`,
  ],
  [
    74,
    (a, b) =>
      `<ellipse cy="-52" rx="30" ry="50" fill="${a}"/><path d="M0-102Q-6-70 0-2M-28-52H28M-22-84Q0-70 22-84M-22-20Q0-34 22-20" stroke="${b}" stroke-width="4" fill="none"/><path d="M-6 0V-4H6V0z" fill="${b}"/>`,
  ],
  [
    60,
    (a, b) =>
      `<path d="M-6 0V-74H6V0z" fill="${b}"/><path d="M-26-2H26" stroke="${b}" stroke-width="9"/><path d="M-16-142H16L34-70H-34z" fill="${a}"/><path d="M-6-142L-14-70M6-142L14-70" stroke="${b}" stroke-width="3"/>`,
  ],
];
const PAIRS = [
  [V, P],
  [P, V],
  [C, P],
  [P, C],
  [M, O],
  [V, M],
  [C, M],
  [V, P],
  [P, O],
  [C, V],
];
let last = -1;
let pair = -1;
const pick = (count, before) => {
  let next;
  do next = Math.floor(random() * count);
  while (next === before);
  return next;
};
let out = '';
const SHELVES = [478, 668, 858, 1048, 1238, 1432];
for (const y of SHELVES) {
  for (let x = 310; x < 980; x += 64 + random() * 30) {
    const [, draw] = THINGS[pick(THINGS.length, -1)];
    const dim = random() < 0.5 ? '#4A1E22' : '#1A2A8F';
    out += `<g transform="translate(${Math.round(x)} ${y - 8}) scale(1.08)">${draw(dim, '#381619').replaceAll(P, dim).replaceAll(V, '#381619').replaceAll(C, dim)}</g>`;
  }
  let x = 272;
  const umbrellas = y === 858;
  while (x < 1015) {
    last = umbrellas ? 0 : pick(THINGS.length, last || 1);
    const [width, draw] = THINGS[last];
    if (x + width > 1026) break;
    pair = pick(PAIRS.length, pair);
    const tilt = random() < 0.16 ? (random() - 0.5) * 14 : 0;
    out += `<g transform="translate(${Math.round(x + width / 2)} ${y})${tilt ? ` rotate(${tilt.toFixed(1)})` : ''}">${draw(...PAIRS[pair])}</g>`;
    x += width * 0.87 + random() * 5;
  }
  out += `<path d="M252 ${y}H1028V${y + 14}H252z" fill="${C}"/><path d="M252 ${y + 3}H1028" stroke="#8D9CFF" stroke-width="4"/>`;
  for (let tag = 290; tag < 1000; tag += 74 + random() * 60)
    out += `<path d="M${Math.round(tag)} ${y + 2}h34v22h-34z" fill="${P}"/><path d="M${Math.round(tag) + 6} ${y + 10}h22M${Math.round(tag) + 6} ${y + 17}h14" stroke="${O}" stroke-width="3"/>`;
}
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 1600" width="1280" height="1600">
<defs><pattern id="tile" width="80" height="80" patternUnits="userSpaceOnUse" patternTransform="translate(0 1530) skewX(-30)"><rect width="80" height="80" fill="${P}"/><path d="M0 0h40v40h40v40H40V40H0z" fill="${O}"/></pattern></defs>
<rect width="1280" height="1600" fill="${V}"/><rect y="1530" width="1280" height="70" fill="url(#tile)"/>
<path d="M1040 1530L1280 1530V500L1120 330z" fill="${O}" opacity=".5"/>
<path d="M232 280H1048V1510H232z" fill="${C}"/><path d="M252 300H1028V1446H252z" fill="${O}"/><path d="M252 1446H1028V1494H252z" fill="#1E33C4"/><path d="M250 1510h70v34h-70zM960 1510h70v34h-70z" fill="${O}"/>
${out}
<path d="M252 300H1028V336H252z" fill="${O}" opacity=".6"/><path d="M252 300H274V1446H252z" fill="${O}" opacity=".7"/>
<path d="M232 280L40 220V1580L232 1510z" fill="${C}"/><path d="M232 280L40 220V1580L232 1510z" fill="#14208F" opacity=".3"/><path d="M206 306L66 262V1534L206 1482z" fill="none" stroke="#8D9CFF" stroke-width="5"/><path d="M190 420L96 394V900L190 894z" fill="#93A0FF"/><path d="M110 880L172 420" stroke="${P}" stroke-width="16"/><path d="M140 880L184 560" stroke="${P}" stroke-width="6"/>
<path d="M1048 280L1240 220V1580L1048 1510z" fill="#1E33C4"/><path d="M1074 306L1214 262V1534L1074 1482z" fill="none" stroke="#5468F8" stroke-width="5"/><circle cx="1076" cy="900" r="15" fill="${M}"/><path d="M1076 900v72" stroke="${M}" stroke-width="9"/>
<g transform="rotate(3 1150 560)"><path d="M1096 480h104v150h-104z" fill="${P}"/><path d="M1112 506h72M1112 530h72M1112 554h50" stroke="${O}" stroke-width="6"/><path d="M1118 596l18 18 40-36" fill="none" stroke="${V}" stroke-width="9"/><circle cx="1148" cy="486" r="8" fill="${V}"/></g>
<g transform="rotate(-3 1146 760)"><path d="M1094 700h108v110h-108z" fill="${M}"/><path d="M1110 726h76M1110 750h76M1110 774h44" stroke="${O}" stroke-width="6"/></g>
<path d="M218 262H1062V286H218z" fill="#8D9CFF"/>
<!-- on top: a trunk, the meter with its flag down, a cat -->
<path d="M280 110H560V262H280z" fill="${P}"/><path d="M280 156H560M330 110V262M510 110V262" stroke="${O}" stroke-width="9"/><path d="M400 142h40v44h-40z" fill="${V}"/><path d="M390 110v-22h60v22" fill="none" stroke="${O}" stroke-width="9"/>
<path d="M590 178H700V262H590z" fill="#93A0FF"/><path d="M606 96H690V178H606z" fill="${P}"/><path d="M606 136h84M648 96v82" stroke="${O}" stroke-width="6"/>
<path d="M742 120H862V262H742z" fill="${O}"/><path d="M758 138H846V190H758z" fill="${M}"/><g fill="${O}"><path d="M768 148h8v32h-8zM784 148h16v8h-8v6h8v18h-16v-8h8v-4h-8zM808 148h16v32h-16v-8h8v-4h-8z"/></g><circle cx="802" cy="226" r="16" fill="${V}"/><path d="M862 160L924 222" stroke="${O}" stroke-width="12"/><path d="M900 192L956 184L968 236L926 240z" fill="${P}"/>
<path d="M1030 262Q1050 196 982 196Q930 198 906 226Q884 208 876 224Q868 262 900 262z" fill="${O}"/><path d="M884 222l-4-22 18 12zM904 216l10-18 8 20z" fill="${O}"/><path d="M884 238h10M902 236h10" stroke="${M}" stroke-width="4"/><path d="M1020 256Q1074 258 1070 330Q1068 360 1090 360" stroke="${O}" stroke-width="15" fill="none" stroke-linecap="round"/>
</svg>
`);
