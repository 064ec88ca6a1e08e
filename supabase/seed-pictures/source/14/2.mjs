// The register: a red cloth-bound bahi-khata from above, with exactly 214 entries, three of them fought over.
let seed = 31;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const r = (from, to) => from + random() * (to - from);
const V = '#EE3A12';
const O = '#270F11';
const INK = '#14208F';
const scribble = (x, y, length) => {
  let d = `M${x.toFixed(0)} ${y}`;
  for (let done = 0; done < length; ) {
    const step = r(16, 27);
    d += `q${(step / 2).toFixed(0)} ${r(-19, -8).toFixed(0)} ${step.toFixed(0)} 0`;
    if (random() < 0.2) {
      done += 10;
      d += 'm10 0';
    }
    done += step;
  }
  return d;
};
// Two pages, above and below the spine: 4 columns × 27 lines above, 4 × 27 below, less two empty places at the end.
let ink = '';
let brush = '';
let entries = 0;
const place = (n) => {
  const page = n < 108 ? 0 : 1;
  const [column, line] = [Math.floor((n % 108) / 27), (n % 108) % 27];
  return [176 + column * 236, (page ? 850 : 152) + line * 23];
};
for (let n = 0; n < 214; n++) {
  entries++;
  const [x, y] = place(n);
  const d = scribble(x + 6, y, r(66, 140));
  if (n % 7 === 3) brush += d;
  else ink += d;
}
if (entries !== 214) throw new Error(`${entries} entries`);
const feud = ([x, y], [tx, ty], bend) =>
  `<path d="M${x + 14} ${y - 6}l180 4M${x + 20} ${y + 3}l170-10" stroke="${V}" stroke-width="6" stroke-linecap="round"/><path d="M${x + 200} ${y - 4}Q${bend} ${tx + 190} ${ty}" stroke="${V}" stroke-width="7" fill="none" stroke-linecap="round"/><path d="M${tx + 218} ${ty - 22}L${tx + 190} ${ty}L${tx + 222} ${ty + 12}" stroke="${V}" stroke-width="7" fill="none" stroke-linecap="round" stroke-linejoin="round"/>`;
const thumb = (x, y, turn) =>
  `<g transform="translate(${x} ${y}) rotate(${turn})" fill="none" stroke="#6B3FA0" stroke-width="4"><ellipse rx="34" ry="46"/><ellipse rx="25" ry="36"/><ellipse rx="16" ry="25"/><ellipse rx="7" ry="14"/></g>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 1600" width="1280" height="1600">
<rect width="1280" height="1600" fill="#2A705F"/>
<path d="M0 0H500L0 900z" fill="#37907B" opacity=".6"/><path d="M112 92H1200V1560H112z" fill="#0F3A30" opacity=".6" transform="translate(14 20)"/>
<path d="M84 64H1196V1536H84z" fill="#B3161C"/><path d="M84 64H1196V1536H84z" fill="none" stroke="#7A0C12" stroke-width="10"/><path d="M100 80H1180V1520H100z" fill="none" stroke="#F7D154" stroke-width="5" stroke-dasharray="20 12"/>
<path d="M124 104H1156V796Q640 770 124 796z" fill="#F7EBC8"/><path d="M124 804Q640 778 1156 804V1496H124z" fill="#FBF3DA"/>
<path d="M124 740Q640 716 1156 740V796Q640 770 124 796z" fill="#DCC891"/><path d="M124 804Q640 778 1156 804V846Q640 820 124 846z" fill="#E8D9A8"/><path d="M124 800Q640 774 1156 800" stroke="#5A3412" stroke-width="7" fill="none"/>
<g stroke="#F4F1E6" stroke-width="9"><path d="M200 770v56M420 762v56M640 758v56M860 762v56M1080 770v56"/></g>
<path d="M160 112V786M160 812V1488M396 112V780M396 808V1488M632 112V776M632 806V1488M868 112V780M868 808V1488" stroke="${V}" stroke-width="3" opacity=".55"/>
<path d="${ink}" stroke="#5661BE" stroke-width="4" fill="none" stroke-linecap="round"/><path d="${brush}" stroke="#5A3A3A" stroke-width="4" fill="none" stroke-linecap="round"/>
<g transform="translate(992 1296)"><circle r="88" fill="#F7A81E" opacity=".5"/><circle cx="-70" cy="80" r="20" fill="#F7A81E" opacity=".5"/><circle cx="70" cy="74" r="12" fill="#F7A81E" opacity=".5"/></g>
${feud(place(11), place(39), '560 300')}${feud(place(64), place(88), '1250 620')}${feud(place(150), place(128), '560 1200')}
${thumb(316, 300, -14)}${thumb(1050, 250, 20)}${thumb(1040, 1090, 8)}
<path d="M560 320q30-30 40 0t40-4M870 660l60-30M900 668l44-40" stroke="${V}" stroke-width="7" fill="none" stroke-linecap="round"/>
<!-- a string to tie the book -->
<path d="M-20 700Q90 720 110 800T60 960Q20 1040 84 1120" stroke="#F4F1E6" stroke-width="13" fill="none"/><path d="M-20 700Q90 720 110 800T60 960Q20 1040 84 1120" stroke="#B3161C" stroke-width="5" fill="none" stroke-dasharray="14 14"/>
<!-- the keeper's hand with a pen, at the next empty line -->
<path d="M1300 1420Q1180 1420 1090 1430Q1000 1440 960 1490Q930 1540 980 1620H1300z" fill="#0F3A30" opacity=".35" transform="translate(10 24)"/>
<path d="M1300 1380Q1210 1390 1150 1400L1160 1640H1300z" fill="#EDEFF0"/><path d="M1300 1380Q1210 1390 1150 1400L1154 1440Q1220 1424 1300 1424z" fill="#C9CED6"/>
<path d="M1156 1400Q1060 1404 1000 1424Q940 1430 896 1460Q884 1476 904 1484Q960 1480 1000 1482Q960 1500 944 1530Q940 1556 966 1550Q990 1530 1020 1528Q990 1556 990 1580Q1000 1600 1026 1590Q1060 1560 1090 1560L1162 1600z" fill="#8D5230"/><path d="M1000 1482Q1050 1470 1080 1480M1020 1528Q1060 1512 1090 1520" stroke="#5C321C" stroke-width="7" fill="none"/><path d="M896 1460Q884 1476 904 1484L926 1482L914 1452z" fill="#D9A074"/>
<path d="M846 1452L1080 1330L1100 1360L874 1478z" fill="${INK}"/><path d="M846 1452L1080 1330L1088 1342L852 1462z" fill="#5468F8"/><path d="M846 1452L816 1480L874 1478z" fill="#E9C25C"/><path d="M816 1480l22-14 6 12z" fill="${O}"/>
<path d="M930 1444Q980 1410 1040 1412Q1060 1424 1040 1440Q990 1448 940 1476z" fill="#A0643A"/><path d="M1004 1484a30 18 0 0 1 30-30" stroke="#F2B01E" stroke-width="10" fill="none"/>
</svg>
`);
