// Six weeks of sun: five vegetable inks on a strip that is a week older from column to column.
let seed = 6;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const O = '#270F11';
const PAPER = [246, 241, 226];
const INKS = [
  ['turmeric', [242, 169, 0], [1, 0.62, 0.3, 0.12, 0.05, 0.02]],
  ['beetroot', [176, 30, 90], [1, 0.8, 0.55, 0.34, 0.18, 0.08]],
  ['spinach', [46, 128, 60], [1, 0.88, 0.7, 0.5, 0.34, 0.2]],
  ['indigo', [30, 52, 150], [1, 0.95, 0.86, 0.76, 0.62, 0.5]],
  ['soot', [39, 15, 17], [1, 0.99, 0.97, 0.95, 0.93, 0.9]],
];
const mix = (ink, strength) =>
  `rgb(${ink.map((part, i) => Math.round(part * strength + PAPER[i] * (1 - strength))).join(' ')})`;
const r = (n) => Math.round((random() - 0.5) * n);
let strokes = '';
INKS.forEach(([, ink, fade], row) => {
  fade.forEach((strength, week) => {
    const [x, y] = [230 + week * 168, 236 + row * 128];
    strokes += `<path d="M${x + r(12)} ${y + r(10)}Q${x + 60} ${y - 16 + r(16)} ${x + 134 + r(14)} ${y + r(10)}L${x + 130 + r(18)} ${y + 30 + r(8)}L${x + 138 + r(14)} ${y + 86 + r(8)}Q${x + 70} ${y + 98 + r(14)} ${x + 4 + r(14)} ${y + 86 + r(10)}L${x + 8 + r(14)} ${y + 50}z" fill="${mix(ink, strength)}"/>`;
    if (strength > 0.25)
      strokes += `<path d="M${x + 16} ${y + 26 + r(8)}q50-10 96 0M${x + 12} ${y + 58 + r(8)}q50 8 104-2" stroke="${mix(ink, Math.max(0, strength - 0.22))}" stroke-width="5" fill="none" stroke-linecap="round"/>`;
  });
});
let sheet = '';
for (let week = 0; week < 6; week++) {
  for (let dot = 0; dot <= week; dot++)
    sheet += `<circle cx="${250 + week * 168 + dot * 20}" cy="196" r="7" fill="${O}"/>`;
  if (week)
    sheet += `<path d="M${214 + week * 168} 170V870" stroke="#CDBF9C" stroke-width="4" stroke-dasharray="4 10"/>`;
}
const jar = (x, y, colour, light) =>
  `<g transform="translate(${x} ${y})"><ellipse cx="30" cy="34" rx="100" ry="96" fill="#3A1E10" opacity=".45"/><circle r="92" fill="#D8DEE4"/><circle r="92" fill="none" stroke="#9AA3AE" stroke-width="6"/><circle r="74" fill="${colour}"/><path d="M-60-20A64 64 0 0 1 10-62" stroke="${light}" stroke-width="13" stroke-linecap="round" fill="none"/><path d="M-84-10A86 86 0 0 1-20-82" stroke="#fff" stroke-width="7" fill="none" stroke-linecap="round"/></g>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1066" width="1600" height="1066">
<rect width="1600" height="1066" fill="#B9774A"/><path d="M0 150H1600M0 330H1600M0 510H1600M0 690H1600M0 870H1600M0 1040H1600" stroke="#8F5530" stroke-width="7"/><path d="M0 60Q500 40 900 66T1600 50M0 240Q400 220 900 250T1600 236M0 420Q600 440 1100 410T1600 426M0 600Q500 580 900 606T1600 596M0 780Q400 800 900 776T1600 790M0 960Q500 940 900 966T1600 950" stroke="#A3653A" stroke-width="6" fill="none"/>
<g transform="rotate(-5 800 533) translate(-30 0)"><path d="M130 130H1290V914H130z" fill="#3A1E10" opacity=".5" transform="translate(16 24)"/><path d="M130 130H1290V914H130z" fill="rgb(${PAPER.join(' ')})"/><path d="M130 130H200V914H130z" fill="#E6DCC0"/>${sheet}${strokes}
<g transform="translate(166 0)"><path d="M-14 262q20-30 30-6t-6 40q-30 10-24-34z" fill="#C98A1B"/><circle cy="412" r="20" fill="#B01E5A"/><path d="M0 392q-6-24-20-26M0 392q6-24 18-28" stroke="#2E803C" stroke-width="6" fill="none"/><path d="M0 566Q-28 530 0 506Q28 530 0 566zM0 566v16" fill="#2E803C" stroke="#2E803C" stroke-width="5"/><path d="M0 640q-24 26-24 44a24 24 0 0 0 48 0q0-18-24-44z" fill="#1E3496"/><path d="M-4 826q-30-20-10-54 4 20 14 22 0-24 12-40 2 26 16 40 6 22-12 32z" fill="${O}"/></g></g>
<!-- sunlight through a window grille -->
<g fill="#1B1640" opacity=".24"><path d="M1290-20H1640V1090H700z"/><path d="M640-20H690L130 1090H70zM960-20H1010L430 1090H370z"/><path d="M-20 300L1180 470V520L-20 350zM-20 690L900 820V870L-20 740z"/></g>
${jar(1450, 150, '#F2A900', '#FFE08A')}${jar(1480, 372, '#B01E5A', '#F08AB4')}${jar(1440, 590, '#2E803C', '#9AD08A')}${jar(1486, 806, '#1E3496', '#8D9CFF')}
<!-- turmeric, half a beetroot, a brush -->
<g transform="translate(1270 60) rotate(14)"><path d="M-90 10Q-80-40-20-34Q10-70 50-50Q60-20 40-10Q90 0 84 40Q40 56 10 36Q-60 60-90 10z" fill="#3A1E10" opacity=".45" transform="translate(12 18)"/><path d="M-90 10Q-80-40-20-34Q10-70 50-50Q60-20 40-10Q90 0 84 40Q40 56 10 36Q-60 60-90 10z" fill="#C98A2B"/><ellipse cx="-76" cy="8" rx="20" ry="26" fill="#F7A800"/><path d="M-40-30q-10 34 4 70M-6-40q-12 40 6 74M30-10q-6 24 6 46" stroke="#96601A" stroke-width="7" fill="none"/></g>
<g transform="translate(1330 980)"><circle cx="12" cy="16" r="86" fill="#3A1E10" opacity=".45"/><circle r="84" fill="#7A1240"/><circle r="72" fill="#B01E5A"/><g fill="none" stroke="#E0709C" stroke-width="7"><circle r="54"/><circle r="36"/><circle r="17"/></g><path d="M-70-50q-50-30-90-20M-60-66q-30-40-60-44" stroke="#2E803C" stroke-width="14" stroke-linecap="round"/></g>
<g transform="translate(1010 880) rotate(-26)"><path d="M0 0H420V26H0z" fill="#3A1E10" opacity=".5" transform="translate(10 26)"/><path d="M60 0H440Q460 13 440 26H60z" fill="#2A44F5"/><path d="M60 0H440V8H60z" fill="#93A0FF"/><path d="M10-4H70V30H10z" fill="#C9CED6"/><path d="M14-4Q-60-10-120 16Q-60 36 14 30z" fill="#3A2A20"/><path d="M-70 0Q-100 4-124 16Q-96 26-60 28Q-76 16-70 0z" fill="#F2A900"/></g>
</svg>
`);
