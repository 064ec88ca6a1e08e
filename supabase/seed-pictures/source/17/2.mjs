// The lower end: the wedding kitchen from above. What is certain is cooking; the rest is kept uncut.
let seed = 12;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const r = (from, to) => from + random() * (to - from);
const O = '#270F11';
const grains = (cx, cy, radius, colours, count, length) => {
  const paths = colours.map(() => '');
  for (let i = 0; i < count; i++) {
    const [angle, far, turn] = [r(0, 6.28), Math.sqrt(random()) * radius, r(0, 3.14)];
    const [x, y] = [cx + Math.cos(angle) * far, cy + Math.sin(angle) * far];
    paths[i % colours.length] +=
      `M${x.toFixed(0)} ${y.toFixed(0)}l${(Math.cos(turn) * length).toFixed(0)} ${(Math.sin(turn) * length).toFixed(0)}`;
  }
  return paths
    .map((d, i) => `<path d="${d}" stroke="${colours[i]}" stroke-width="9" stroke-linecap="round"/>`)
    .join('');
};
const pot = (x, y, radius, inside) =>
  `<circle cx="${x + 26}" cy="${y + 34}" r="${radius + 12}" fill="${O}" opacity=".45"/><path d="M${x - radius - 56} ${y - 34}h70v68h-70zM${x + radius - 14} ${y - 34}h70v68h-70z" fill="#A9741C" stroke="#6B430A" stroke-width="7"/><circle cx="${x}" cy="${y}" r="${radius}" fill="#E2A83A"/><path d="M${x - radius} ${y}a${radius} ${radius} 0 0 1 ${radius * 1.7} -${Math.round(radius * 0.71)}" fill="none" stroke="#FFE9A8" stroke-width="16"/><circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="#8A5A12" stroke-width="7"/><circle cx="${x}" cy="${y}" r="${radius - 42}" fill="#7A4E10"/>${inside}`;
const tomato = (x, y, s) =>
  `<g transform="translate(${x} ${y}) scale(${s})"><circle cx="12" cy="16" r="58" fill="${O}" opacity=".4"/><circle r="56" fill="#E23B22"/><path d="M20-52A56 56 0 0 1 20 52Q60 0 20-52z" fill="#B3240F"/><path d="M0-24L8-6 26-12 14 4 26 18 6 14 0 32-6 14-26 18-14 4-26-12-8-6z" fill="#3F8A42"/><path d="M-40-14A40 40 0 0 1-14-40" stroke="#FF9A80" stroke-width="9" fill="none" stroke-linecap="round"/></g>`;
const brinjal = (x, y, turn) =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M-40-70Q60-90 70 30Q70 130 0 140Q-70 130-60 30Q-56-30-40-70z" fill="${O}" opacity=".4" transform="translate(14 18)"/><path d="M-40-70Q40-100 66 20Q76 130 0 140Q-76 130-62 20Q-56-40-40-70z" fill="#4A1E6B"/><path d="M30-60Q70 0 60 70Q50 130 0 140Q50 60 30-60z" fill="#2E1046"/><path d="M-40 10Q-46 70-24 104" stroke="#9A6BC4" stroke-width="11" fill="none" stroke-linecap="round"/><path d="M-56-60Q-20-90 0-90Q40-86 52-52Q20-60 10-30Q-4-60-20-28Q-24-60-56-60z" fill="#3F8A42"/><path d="M0-86Q4-120 24-130" stroke="#2A6A30" stroke-width="16" fill="none" stroke-linecap="round"/></g>`;
const ribs = (x, y, radius) =>
  Array.from(
    { length: 10 },
    (_, i) =>
      `<ellipse rx="${radius * 0.34}" ry="${radius * 0.52}" transform="translate(${x} ${y}) rotate(${i * 36}) translate(0 ${-radius * 0.5})" fill="${i % 2 ? '#E58A1E' : '#F2A534'}" stroke="#B9620E" stroke-width="5"/>`,
  ).join('');
const pumpkin = (x, y, radius) =>
  `<circle cx="${x + 20}" cy="${y + 28}" r="${radius}" fill="${O}" opacity=".45"/>${ribs(x, y, radius)}<circle cx="${x}" cy="${y}" r="${radius * 0.2}" fill="#7A5A1E"/><path d="M${x} ${y}q20-30 54-20" stroke="#5E7A2C" stroke-width="24" fill="none" stroke-linecap="round"/>`;
const florets = Array.from({ length: 40 }, (_, i) => {
  const [angle, far] = [i * 2.4, Math.sqrt(i) * 17];
  return `<circle cx="${(Math.cos(angle) * far).toFixed(0)}" cy="${(Math.sin(angle) * far).toFixed(0)}" r="21" fill="${['#F6F0DA', '#EBE2C2', '#FFFBEC'][i % 3]}" stroke="#CFC398" stroke-width="3"/>`;
}).join('');
const cauliflower = (x, y, s, turn) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${s})"><circle cx="18" cy="24" r="168" fill="${O}" opacity=".4"/>${[0, 60, 120, 180, 240, 300].map((a) => `<g transform="rotate(${a})"><path d="M-70-90Q-60-190 0-200Q60-190 70-90Q0-50-70-90z" fill="#5E9A48"/><path d="M0-60V-190" stroke="#A8CF86" stroke-width="10"/></g>`).join('')}${florets}</g>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1600" width="1600" height="1600">
<defs><pattern id="floor" width="200" height="200" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="200" height="200" fill="#35508F"/><path d="M0 0H200M0 0V200" stroke="#24386B" stroke-width="9"/></pattern></defs>
<rect width="1600" height="1600" fill="url(#floor)"/><path d="M0 1600V900L1600 0V1600z" fill="#1B2A55" opacity=".28"/>
<!-- fire under the pots -->
<g fill="#EE3A12"><circle cx="470" cy="470" r="452"/></g><circle cx="470" cy="470" r="430" fill="#FFB52E"/><circle cx="1180" cy="250" r="282" fill="#EE3A12"/><circle cx="1180" cy="250" r="264" fill="#FFB52E"/>
${pot(470, 470, 400, `<circle cx="470" cy="470" r="346" fill="#F2C55A"/>${grains(470, 470, 326, ['#FFF6DC', '#F7A81E', '#FFE7A0', '#E98A14', '#FFFBEF'], 120, 30)}<g fill="#3F8A42"><path d="M330 330q30-30 60 0-30 30-60 0zM600 600q30-30 60 0-30 30-60 0zM380 640q30-20 50 10-30 20-50-10zM560 280q30-20 50 10-30 20-50-10z"/></g><g fill="#8E1F2F"><circle cx="300" cy="480" r="17"/><circle cx="520" cy="420" r="17"/><circle cx="650" cy="470" r="17"/><circle cx="420" cy="560" r="17"/><circle cx="540" cy="700" r="17"/></g>`)}
${pot(1180, 250, 240, '<circle cx="1180" cy="250" r="190" fill="#B9480E"/><path d="M1180 60A190 190 0 0 1 1370 250Q1300 200 1260 260T1120 330T1000 300Q990 270 990 250A190 190 0 0 1 1180 60z" fill="#D9641A"/><g fill="#F2A534"><circle cx="1120" cy="200" r="26"/><circle cx="1240" cy="300" r="20"/><circle cx="1200" cy="150" r="16"/><circle cx="1090" cy="320" r="16"/></g><g fill="#3F8A42"><path d="M1150 260q20-24 44 0-20 24-44 0zM1250 200q20-24 44 0-20 24-44 0zM1160 380q20-24 44 0-20 24-44 0z"/></g>')}
<!-- cook, from above, with a paddle as long as an oar -->
<path d="M470 520L930 960" stroke="${O}" stroke-width="40" opacity=".35" transform="translate(16 22)"/><path d="M440 490L950 980" stroke="#B97A3C" stroke-width="34" stroke-linecap="round"/><path d="M444 484L944 966" stroke="#E3B072" stroke-width="9" stroke-linecap="round"/><path d="M330 380Q400 330 470 420L520 470L450 540L400 490Q300 440 330 380z" fill="#B97A3C"/><path d="M340 384Q400 350 462 424" stroke="#E3B072" stroke-width="9" fill="none"/>
<g transform="translate(1010 1110) rotate(-45)"><ellipse cx="0" cy="60" rx="270" ry="150" fill="${O}" opacity=".4"/>
<path d="M-236 20Q-260-150-70-236L-24-190Q-130-130-120 10zM236 20Q250-90 90-164L46-124Q140-80 120 20z" fill="#EDEFF0"/><path d="M236 20Q250-90 90-164L74-150Q190-90 176 20z" fill="#C9CED6"/>
<path d="M-240 30Q-230-80-90-90H90Q230-80 240 30Q230 130 90 140H-90Q-230 130-240 30z" fill="#F6F8FA"/><path d="M90-90Q230-80 240 30Q230 130 90 140H20Q170 100 160 20Q150-70 90-90z" fill="#C9CED6"/><path d="M-110-84Q-140 20-100 138M110-84Q140 20 100 138" stroke="#EE3A12" stroke-width="26" fill="none"/><path d="M-240 30Q-150 60-120 30M240 30Q150 60 120 30" stroke="#B9BEC4" stroke-width="7" fill="none"/>
<path d="M-70-236Q-60-276-20-270Q20-262 22-226Q16-196-24-190zM90-164Q80-200 40-204Q6-198 4-164Q14-130 46-124z" fill="#8D5230"/><path d="M-34-266v36M-8-266v34M30-200v34M8-186l20 20" stroke="#5C321C" stroke-width="8"/>
<circle cy="14" r="100" fill="#17131C"/><path d="M-104-4q-26-10-24 20t28 26zM104-4q26-10 24 20t-28 26z" fill="#8D5230"/><path d="M-22-90L0-122L22-90z" fill="#8D5230"/><path d="M-80-30Q0-130 80-30z" fill="#8D5230"/>
<circle cy="20" r="86" fill="#EDEFF0"/><path d="M20-64A86 86 0 0 1 40 96Q80 20 20-64z" fill="#C9CED6"/><circle cy="20" r="86" fill="none" stroke="#B9BEC4" stroke-width="7"/><path d="M-56 0A60 60 0 0 1 0-44" stroke="#fff" stroke-width="13" stroke-linecap="round" fill="none"/><circle cy="22" r="50" fill="none" stroke="#B9BEC4" stroke-width="6"/></g>
<!-- kept uncut -->
<g transform="rotate(-8 400 1280)"><path d="M60 1040H700V1560H60z" fill="${O}" opacity=".4" transform="translate(20 26)"/><path d="M60 1040H700V1560H60z" fill="#C99558"/><path d="M60 1040H700V1076H60zM60 1524H700V1560H60zM60 1040H100V1560H60zM660 1040H700V1560H660z" fill="#A8713A"/><path d="M100 1200H660M100 1360H660" stroke="#A8713A" stroke-width="7"/></g>
${cauliflower(240, 1240, 0.86, 10)}${cauliflower(520, 1180, 0.8, 40)}${brinjal(400, 1420, 60)}${brinjal(560, 1400, 100)}${tomato(180, 1460, 1)}${tomato(290, 1490, 0.9)}${tomato(640, 1300, 0.9)}
${pumpkin(1360, 700, 170)}${pumpkin(1460, 1020, 130)}${pumpkin(1330, 1420, 160)}
${tomato(1060, 1530, 0.9)}
<!-- a knife that has the day off -->
<g transform="translate(850 1450) rotate(-12)"><path d="M0 0H210L250 40Q220 70 0 66z" fill="${O}" opacity=".4" transform="translate(14 18)"/><path d="M0 0H240Q230 60 170 66H0z" fill="#DADDE3"/><path d="M0 0H240L238 14H0z" fill="#9AA3AE"/><path d="M-130 8H0V48H-130Q-146 28-130 8z" fill="#6B3A20"/><circle cx="-90" cy="28" r="7" fill="#E3B072"/><circle cx="-40" cy="28" r="7" fill="#E3B072"/></g>
</svg>
`);
