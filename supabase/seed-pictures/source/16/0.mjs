// Second bridesmaid: she is sharp; the stars behind her are out of focus, as dots of a coarse screen.
import sharp from 'sharp';

const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
const PITCH = 60;
const tone = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><rect width="1600" height="1200" fill="#fff"/>
<g fill="#000"><circle cx="390" cy="250" r="86"/><path d="M330 300H450L470 380H310z"/><path d="M300 370Q390 340 480 370L500 700L540 1230H410L390 820L360 1230H230L280 700z"/><path d="M320 372Q200 330 20 190L-30 260Q120 420 300 500zM460 372Q600 330 760 170L810 240Q700 420 480 500z"/><circle cx="700" cy="520" r="70"/><path d="M650 500Q620 700 560 800L600 830Q720 700 740 560z"/><path d="M650 590Q760 570 770 660L790 800Q860 1000 900 1230H520Q560 1000 640 800z"/><path d="M640 610Q560 640 500 560L470 600Q540 720 660 700z"/></g>
<g fill="#555"><path d="M1180-20L1600 40V220L1300 120z"/></g></svg>`;
const { data, info } = await sharp(Buffer.from(tone)).greyscale().blur(26).raw().toBuffer({ resolveWithObject: true });
const sizes = Array.from({ length: 20 }, () => '');
for (let row = 0, y = 0; y <= info.height; row++, y += PITCH / 2)
  for (let x = row % 2 ? PITCH / 2 : 0; x <= info.width; x += PITCH) {
    const dark =
      1 - data[(Math.min(info.height - 1, y) * info.width + Math.min(info.width - 1, x)) * info.channels] / 255;
    const size = Math.round(Math.sqrt(dark) * 16);
    if (size > 2) sizes[size] += `M${x} ${y}h0`;
  }
const dots = sizes
  .map((d, i) => (d ? `<path d="${d}" stroke-width="${((i / 16) * PITCH * 0.8).toFixed(0)}"/>` : ''))
  .join('');
const marigold = (x, y, scale, colour, dark) =>
  `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M0-40L12-26 30-30 30-12 44 0 30 12 30 30 12 28 0 42-12 28-30 30-30 12-44 0-30-12-30-30-12-26z" fill="${dark}"/><circle r="27" fill="${colour}"/><circle r="14" fill="${dark}"/><circle r="7" fill="${colour}"/></g>`;
const jhumka = (x) =>
  `<g transform="translate(${x} 640)"><circle r="17" fill="#F2B01E"/><circle r="8" fill="${V}"/><path d="M-32 62Q-30 20 0 18T32 62z" fill="#F2B01E"/><path d="M0 18Q30 20 32 62H12z" fill="#B97A0E"/><path d="M-34 58H34V70H-34z" fill="#FFDC70"/><g fill="${P}"><circle cx="-26" cy="78" r="7"/><circle cx="-9" cy="80" r="7"/><circle cx="9" cy="80" r="7"/><circle cx="26" cy="78" r="7"/></g></g>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">
<defs><clipPath id="face"><path d="M900 520Q896 330 1070 322Q1244 330 1240 520L1236 590Q1226 690 1160 756Q1110 802 1070 804Q1026 800 978 754Q912 690 904 590z"/></clipPath>
<pattern id="booti" width="70" height="70" patternUnits="userSpaceOnUse" patternTransform="rotate(12)"><path d="M20 8q14 10 0 26q-14-16 0-26M12 22q-10 2-10 12 10 2 14-8M28 22q10 2 10 12-10 2-14-8" fill="${M}"/><circle cx="54" cy="54" r="4" fill="${M}"/></pattern></defs>
<rect width="1600" height="1200" fill="${V}"/><path d="M0 0H900L500 1200H0z" fill="#FF6B3D"/>
<g fill="none" stroke="#7A1A3A" stroke-linecap="round">${dots}</g>
<!-- body and sari -->
<path d="M640 1200Q660 1000 820 920Q930 870 980 850H1160Q1230 870 1330 920Q1490 1000 1510 1200z" fill="${C}"/><path d="M1160 850Q1230 870 1330 920Q1490 1000 1510 1200H1330Q1320 980 1160 850z" fill="#14208F"/>
<path d="M820 920Q930 870 980 850L1070 930L1160 850Q1230 870 1290 900L1080 1200H700Q720 1000 820 920z" fill="#1B2FC2"/><path d="M830 916Q930 870 980 850Q1100 960 1160 1200H760Q740 1010 830 916z" fill="${C}"/><path d="M830 916Q930 870 980 850Q1100 960 1160 1200H760Q740 1010 830 916z" fill="url(#booti)"/>
<path d="M980 850Q1110 950 1180 1200H1120Q1060 990 944 866z" fill="${M}"/><path d="M964 860Q1090 970 1150 1200" stroke="${O}" stroke-width="7" stroke-dasharray="4 16" stroke-linecap="round" fill="none"/>
<!-- neck -->
<path d="M984 720L976 860Q1070 960 1164 860L1156 720z" fill="#8A5330"/><path d="M984 740Q1060 840 1156 740V790Q1070 880 980 806z" fill="#5F351D"/><path d="M970 850Q1070 950 1170 850" fill="none" stroke="#F2B01E" stroke-width="20"/><path d="M974 862Q1070 964 1166 862" fill="none" stroke="${P}" stroke-width="8" stroke-dasharray="2 15" stroke-linecap="round"/><path d="M1046 916h48l-24 44z" fill="${V}" stroke="#F2B01E" stroke-width="7"/>
<!-- hair behind -->
<path d="M868 560Q850 270 1070 262Q1290 270 1272 560Q1270 680 1230 720Q1240 560 1224 480H916Q900 560 910 720Q870 680 868 560z" fill="#17131C"/>
<!-- face -->
<g clip-path="url(#face)"><rect x="880" y="300" width="380" height="520" fill="#B5764A"/><path d="M1120 300H1260V820H1010Q1150 740 1150 560Q1150 420 1120 300z" fill="#8A5330"/><path d="M900 300Q980 420 930 600Q930 700 990 780H880V300z" fill="#CB9063"/><path d="M880 300H1260V440Q1180 380 1074 372Q960 380 890 450z" fill="#17131C"/><path d="M1070 300V376Q960 384 896 470Q930 330 1070 300z" fill="#17131C"/><ellipse cx="960" cy="660" rx="50" ry="34" fill="#E0705A" opacity=".35"/><ellipse cx="1180" cy="660" rx="46" ry="34" fill="#A83A2A" opacity=".35"/></g>
<path d="M1070 264V372" stroke="${V}" stroke-width="9"/><path d="M930 330Q1000 290 1054 284M950 360Q1010 330 1056 322M1210 330Q1140 290 1086 284M1190 360Q1130 330 1084 322" stroke="#3A3440" stroke-width="7" fill="none"/>
<path d="M1070 372V430" stroke="#F2B01E" stroke-width="7"/><circle cx="1070" cy="442" r="20" fill="#F2B01E"/><circle cx="1070" cy="442" r="10" fill="${V}"/><circle cx="1070" cy="472" r="7" fill="${P}"/><circle cx="1070" cy="502" r="12" fill="${V}"/>
<path d="M930 510Q986 470 1040 500L1038 514Q986 492 932 522z" fill="#17131C"/><path d="M1102 500Q1156 470 1212 510L1210 522Q1156 492 1104 514z" fill="#17131C"/>
<path d="M926 566Q984 520 1042 572Q984 600 926 566z" fill="#F6F1EA"/><circle cx="1000" cy="560" r="22" fill="#3A2010"/><circle cx="1000" cy="560" r="11" fill="#0B0706"/><circle cx="1007" cy="553" r="5" fill="#fff"/><path d="M912 570Q984 506 1046 574Q984 540 912 570z" fill="#17131C"/><path d="M930 574Q984 606 1040 576" stroke="#5C321C" stroke-width="5" fill="none"/>
<path d="M1100 572Q1158 520 1216 566Q1158 600 1100 572z" fill="#E9E0D6"/><circle cx="1174" cy="558" r="22" fill="#3A2010"/><circle cx="1174" cy="558" r="11" fill="#0B0706"/><circle cx="1181" cy="551" r="5" fill="#fff"/><path d="M1096 574Q1158 506 1230 570Q1158 540 1096 574z" fill="#17131C"/><path d="M1102 576Q1158 606 1212 574" stroke="#4A2414" stroke-width="5" fill="none"/>
<path d="M1082 530Q1086 610 1108 640Q1110 662 1074 668Q1090 640 1072 540z" fill="#7A4528"/><path d="M1036 648Q1040 668 1072 668Q1100 668 1106 648" stroke="#5C321C" stroke-width="6" fill="none" stroke-linecap="round"/><circle cx="1030" cy="652" r="22" fill="none" stroke="#F2B01E" stroke-width="5"/><circle cx="1018" cy="670" r="5" fill="${P}"/>
<path d="M1010 724Q1040 704 1070 714Q1100 704 1130 724Q1100 758 1070 758Q1040 758 1010 724z" fill="#B3202A"/><path d="M1010 724Q1070 734 1130 724" stroke="#5A0C14" stroke-width="6" fill="none"/><path d="M1046 744q20 8 40 2" stroke="#E8625A" stroke-width="7" fill="none" stroke-linecap="round"/>
<path d="M866 590Q842 580 848 620T884 652zM1272 590Q1298 580 1292 620T1256 652z" fill="#8A5330"/>${jhumka(868)}${jhumka(1272)}
<g>${marigold(876, 380, 0.9, '#FFB52E', '#F0760E')}${marigold(846, 450, 0.9, '#FFC94A', '#F58A12')}${marigold(840, 526, 0.9, '#FFB52E', '#F0760E')}${marigold(1266, 380, 0.9, '#FFB52E', '#F0760E')}${marigold(1296, 450, 0.9, '#FFC94A', '#F58A12')}</g>
<!-- arms and the tray -->
<path d="M640 1200Q640 1080 700 1010L800 1040Q790 1120 800 1200z" fill="#1B2FC2"/><path d="M1510 1200Q1520 1090 1450 1010L1350 1050Q1370 1120 1350 1200z" fill="#0D1366"/>
<g><ellipse cx="1075" cy="1150" rx="330" ry="70" fill="${O}" opacity=".45"/><ellipse cx="1075" cy="1120" rx="330" ry="74" fill="#C9CED6"/><ellipse cx="1075" cy="1112" rx="300" ry="60" fill="#8C93A0"/><ellipse cx="1075" cy="1116" rx="290" ry="54" fill="#F6F8FA"/></g>
${marigold(860, 1096, 1, '#FFB52E', '#F0760E')}${marigold(930, 1080, 1.1, '#FFC94A', '#F58A12')}${marigold(910, 1134, 1, '#FFB52E', '#F0760E')}${marigold(1220, 1086, 1.1, '#FFC94A', '#F58A12')}${marigold(1290, 1104, 1, '#FFB52E', '#F0760E')}${marigold(1236, 1138, 1, '#FFB52E', '#F0760E')}
<g transform="translate(1076 1112)"><path d="M-70-16Q-60 40 0 42T70-16z" fill="#A8502A"/><path d="M10-16H70Q60 40 0 42Q40 20 10-16z" fill="#7A3418"/><ellipse cy="-16" rx="70" ry="16" fill="#D9782F"/><path d="M0-150Q44-80 30-40Q18-16 0-16T-30-40Q-44-80 0-150z" fill="#FFB52E"/><path d="M0-100Q22-60 14-36T0-22T-14-36T0-100z" fill="#FFF6C8"/></g>
<path d="M700 1200Q720 1120 790 1090Q840 1090 850 1130L840 1200z" fill="#B5764A"/><path d="M790 1090Q840 1090 850 1130L846 1160Q820 1120 780 1130z" fill="#CB9063"/><path d="M1450 1200Q1430 1120 1370 1090Q1320 1090 1308 1130L1316 1200z" fill="#8A5330"/><g fill="none" stroke-width="15"><path d="M694 1170q50-40 110 20" stroke="${M}"/><path d="M690 1196q50-40 110 20" stroke="${V}"/><path d="M1460 1170q-50-40-110 20" stroke="${M}"/><path d="M1464 1196q-50-40-110 20" stroke="${V}"/></g>
<!-- focus marks: on her -->
<g fill="none" stroke="${P}" stroke-width="9"><path d="M770 300V220H850M1300 220H1380V300M1380 800V880H1300M850 880H770V800"/></g>
</svg>
`);
