// The moment before: two flyers under the tent roof, seen from below, their hands a gap apart.
const O = '#270F11';
const P = '#EDEFF0';
const _M = '#E4FF3A';
const CENTRE = [850, 660];
const ray = (angle, far = 1500) =>
  `${(CENTRE[0] + Math.cos(angle) * far).toFixed(0)} ${(CENTRE[1] + Math.sin(angle) * far).toFixed(0)}`;
let roof = '';
const STRIPES = 28;
for (let i = 0; i < STRIPES; i++) {
  const [a, b] = [((i - 0.5) * 2 * Math.PI) / STRIPES, ((i + 0.5) * 2 * Math.PI) / STRIPES];
  const middle = (a + b) / 2;
  roof += `<path d="M${CENTRE.join(' ')}L${ray(a)}L${ray(b)}z" fill="${i % 2 ? '#F6E7C4' : '#D5322B'}"/><path d="M${CENTRE.join(' ')}L${ray(middle)}L${ray(b)}z" fill="${i % 2 ? '#E0C893' : '#AE1E22'}"/>`;
}
let bulbs = '';
for (const [radius, count, size] of [
  [470, 36, 8],
  [700, 48, 11],
  [930, 56, 14],
])
  for (let i = 0; i < count; i++) {
    const angle = (i * 2 * Math.PI) / count;
    const sag = radius + 26 * Math.abs(Math.sin(i * (Math.PI / 4)));
    bulbs += `<circle cx="${(CENTRE[0] + Math.cos(angle) * sag).toFixed(0)}" cy="${(CENTRE[1] + Math.sin(angle) * sag).toFixed(0)}" r="${size}"/>`;
  }
/** An open hand that reaches to the right from the wrist at 0,0. */
const hand = (skin, dark, light) =>
  `<path d="M-20-34Q40-50 96-44Q130-40 150-34L232-58Q252-62 256-48Q258-36 242-30L170-4L262-10Q282-10 282 4Q282 16 264 18L172 22L250 36Q268 42 264 54Q260 66 242 62L158 46L214 74Q228 84 220 94Q212 102 196 96L128 64Q90 66 60 60Q20 54-20 44z" fill="${skin}"/><path d="M40-46Q60-100 112-124Q130-130 138-118Q144-106 128-94Q104-76 100-40z" fill="${skin}"/><path d="M-20 44V18Q60 34 128 44L196 96L128 64Q90 66 60 60Q20 54-20 44z" fill="${dark}"/><path d="M150-34L170-26M170-4L150 4M172 22L150 24M158 46L140 42M70 4q30 6 48-14" stroke="${dark}" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M100-30L236-50M120-2L262-2" stroke="${light}" stroke-width="6" stroke-linecap="round" opacity=".7"/><path d="M-34-42H-6V52H-34z" fill="${P}"/><path d="M-26-42V52M-16-42V52" stroke="#B9BEC4" stroke-width="4"/>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">
<defs><pattern id="scale" width="44" height="40" patternUnits="userSpaceOnUse"><path d="M0 0a22 22 0 0 0 44 0" fill="none" stroke="#8D9CFF" stroke-width="5"/><path d="M-22 20a22 22 0 0 0 44 0a22 22 0 0 0 44 0" fill="none" stroke="#8D9CFF" stroke-width="5"/></pattern><pattern id="star" width="70" height="70" patternUnits="userSpaceOnUse"><path d="M20 8l4 9 10 1-7 7 2 10-9-5-9 5 2-10-7-7 10-1z" fill="#FFE9A8"/><circle cx="54" cy="52" r="5" fill="#FFE9A8"/></pattern></defs>
${roof}
<circle cx="850" cy="660" r="300" fill="#FFF6D8" opacity=".45"/><circle cx="850" cy="660" r="190" fill="#FFF6D8" opacity=".6"/><circle cx="850" cy="660" r="66" fill="#8A5A2A"/><circle cx="850" cy="660" r="44" fill="#FFE9A8"/>
<g fill="#FFF1B0" stroke="#C9822A" stroke-width="3">${bulbs}</g>
<!-- the catcher, hanging by the knees -->
<g stroke-linejoin="round" transform="translate(-64 -20)"><path d="M130 70L100 -60M476 24L500 -60" stroke="${O}" stroke-width="9"/><path d="M96 74L486 20" stroke="#5A3A1A" stroke-width="30" stroke-linecap="round"/><path d="M100 66L482 13" stroke="#E9C25C" stroke-width="8" stroke-linecap="round"/>
<path d="M180 26Q110-60 200-90Q290-80 300 60L330 280L210 330Q170 120 180 26z" fill="#2A44F5"/><path d="M330 6Q300-70 380-90Q450-80 440 40L430 250L330 280Q320 120 330 6z" fill="#1B2FC2"/><path d="M200-20L232 250" stroke="#8D9CFF" stroke-width="10"/>
<path d="M202 250Q320 200 440 232Q470 330 540 420L420 560Q300 480 240 420Q200 340 202 250z" fill="#2A44F5"/><path d="M202 250Q320 200 440 232Q470 330 540 420L420 560Q300 480 240 420Q200 340 202 250z" fill="url(#scale)"/><path d="M440 232Q470 330 540 420L420 560Q470 420 380 240z" fill="#14208F" opacity=".55"/><path d="M206 244Q320 196 440 226L446 258Q320 230 204 284z" fill="#F2B01E"/>
<!-- far arm -->
<path d="M516 392Q610 392 700 420L690 492Q590 480 500 470z" fill="#6B3A20"/>
<g transform="translate(706 456) rotate(10) scale(.72)">${hand('#6B3A20', '#4A2414', '#8D5230')}</g>
<!-- near arm -->
<path d="M400 470Q440 400 510 430Q600 520 690 560L650 640Q520 620 420 560z" fill="#9A5E36"/><path d="M400 510Q520 600 660 616L650 640Q520 620 420 560z" fill="#6B3A20"/><path d="M480 440Q580 540 670 572" stroke="#C98B5E" stroke-width="9" fill="none" stroke-linecap="round"/>
<g transform="translate(674 604) rotate(16) scale(.8)">${hand('#9A5E36', '#6B3A20', '#D9A074')}</g>
<g transform="translate(492 628) rotate(-16) scale(1.02 -1.02)"><path d="M-56 60L-40 140H30L44 80z" fill="#7A4528"/><path d="M-70-30Q-60-90 10-92Q76-88 80-20L106 16L82 26Q86 66 54 86Q10 96-24 76Q-60 50-70-30z" fill="#9A5E36"/><path d="M-24 76Q-60 50-70-30L-30-10Q-10 60 54 86Q10 96-24 76z" fill="#7A4528"/><path d="M-82 44Q-104-86-4-108Q70-108 86-44Q40-62 8-52Q2-10-28 0Q-50 14-50 56z" fill="#17131C"/><path d="M-34 4q-22-2-20 20t22 22 18-20-20-22z" fill="#8D5230"/><path d="M26-34Q50-52 78-38" stroke="#17131C" stroke-width="10" fill="none"/><ellipse cx="52" cy="-12" rx="15" ry="11" fill="#fff"/><circle cx="58" cy="-12" r="8" fill="#17131C"/><path d="M34 44Q60 26 92 38Q110 40 112 24" stroke="#17131C" stroke-width="13" fill="none" stroke-linecap="round"/><path d="M48 64q20 4 32-8" stroke="#4A1E16" stroke-width="9" fill="none" stroke-linecap="round"/></g></g>
<!-- the flyer, already free of her bar -->
<g transform="translate(120 40)"><path d="M1500 1230Q1420 1120 1330 1080L1260 1170Q1300 1230 1330 1290z" fill="#B5764A"/>
<path d="M1620 1010Q1500 900 1390 930L1330 1060Q1440 1130 1560 1210z" fill="#E3A01C"/><path d="M1620 1010Q1500 900 1390 930L1370 980Q1500 980 1600 1100z" fill="#F7C94B"/><path d="M1620 1010Q1500 900 1390 930L1330 1060Q1440 1130 1560 1210z" fill="url(#star)"/>
<path d="M1400 900Q1290 820 1180 850Q1130 890 1150 970Q1230 1070 1340 1100Q1420 1020 1400 900z" fill="#C2265E"/><path d="M1150 970Q1230 1070 1340 1100Q1390 1050 1404 970Q1290 1010 1150 970z" fill="#8A1444"/><path d="M1400 900Q1290 820 1180 850Q1130 890 1150 970Q1230 1070 1340 1100Q1420 1020 1400 900z" fill="url(#star)" opacity=".8"/><path d="M1390 880Q1420 980 1340 1106L1372 1112Q1450 1000 1416 890z" fill="#F2B01E"/>
<!-- far arm -->
<path d="M1190 860Q1120 790 1050 760L1020 816Q1100 870 1160 930z" fill="#8D5230"/><g transform="translate(1034 786) rotate(207) scale(.66 -.66)">${hand('#8D5230', '#6B3A20', '#B5764A')}</g>
<!-- head -->
<path d="M1190 890L1130 930L1160 990L1220 960z" fill="#8D5230"/><path d="M1178 950Q1190 1020 1130 1036Q1060 1040 1044 980Q1040 900 1104 886Q1160 884 1178 950z" fill="#B5764A"/><path d="M1044 960L1014 978L1046 994z" fill="#C98B5E"/><path d="M1178 950Q1196 1030 1126 1040Q1090 1040 1070 1028Q1130 1020 1128 960Q1130 910 1092 888Q1160 876 1178 950z" fill="#17131C"/><path d="M1170 1000Q1240 1010 1270 1080Q1280 1110 1256 1120Q1250 1060 1160 1030z" fill="#17131C"/><circle cx="1170" cy="1012" r="16" fill="#F2B01E"/><path d="M1064 944q18-12 36 0" stroke="#17131C" stroke-width="8" fill="none"/><ellipse cx="1080" cy="962" rx="11" ry="8" fill="#fff"/><circle cx="1076" cy="962" r="6" fill="#17131C"/><path d="M1060 1008q16 8 30-4" stroke="#8E1420" stroke-width="9" fill="none"/><circle cx="1092" cy="936" r="5" fill="#8E1420"/>
<!-- near arm -->
<path d="M1240 850Q1200 920 1130 880Q1060 830 980 800L1010 720Q1120 740 1200 800Q1240 820 1240 850z" fill="#B5764A"/><path d="M980 800L990 776Q1080 800 1150 850Q1200 880 1240 850Q1200 920 1130 880Q1060 830 980 800z" fill="#8D5230"/><path d="M1020 738Q1110 750 1190 808" stroke="#E3B48C" stroke-width="9" fill="none" stroke-linecap="round"/>
<g transform="translate(1000 764) rotate(202) scale(.76 -.76)">${hand('#B5764A', '#8D5230', '#E3B48C')}</g></g>
</svg>
`);
