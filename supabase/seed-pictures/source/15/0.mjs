// The same wall twice: `node 0.mjs` prints week one, `node 0.mjs after` prints week four.
const after = process.argv[2] === 'after';
const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
/** What each ink has become on the paper: decoration goes first, the date stays. */
const ink = after
  ? {
      paper: '#F3EFE2',
      sun: '#F6EBD0',
      wave: '#E9E9EA',
      leaf: '#EFEBDD',
      programme: '#D9D2C8',
      place: '#C79E92',
      date: '#9A2A10',
    }
  : { paper: '#F7F4EA', sun: '#FFB800', wave: C, leaf: '#1F9A5A', programme: O, place: V, date: '#B3240A' };
const bricks = after ? ['#A9694C', '#9B5C41', '#B57656'] : ['#B8653F', '#A65534', '#C4744C'];
const digit = {
  2: 'M0 60Q0 0 70 0T140 62Q140 100 100 130L70 152H140V200H0V156L78 96Q92 84 92 66Q92 48 70 48T48 66V76H0z',
  8: 'M70 0Q136 0 136 54Q136 84 112 98Q140 112 140 146Q140 200 70 200T0 146Q0 112 28 98Q4 84 4 54Q4 0 70 0zM70 42Q50 42 50 60T70 78T90 60T70 42zM70 118Q48 118 48 138T70 158T92 138T70 118z',
};
const lines = [150, 128, 156, 112].map((length, i) => `M36 ${430 + i * 26}h${length}`).join('');
const poster = (
  x,
  y,
  turn,
  curl,
) => `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M0 0H380V540H0z" fill="${O}" opacity=".4" transform="translate(${after ? -16 : 16} 18)"/><path d="M0 0H380V540H0z" fill="${ink.paper}"/>
<g clip-path="url(#sheet)"><circle cx="270" cy="120" r="96" fill="${ink.sun}"/><g stroke="${ink.sun}" stroke-width="15"><path d="M270 6v-60M350 40l50-50M384 120h60M350 200l50 50M190 40l-50-50M156 120H96M190 200l-50 50"/></g><path d="M-10 250Q60 190 130 240T260 240T400 220V336H-10z" fill="${ink.wave}"/><path d="M-10 310Q60 270 130 310T260 310T400 300V336H-10z" fill="${ink.leaf}"/><path d="M40 40Q120 30 120 120Q40 120 40 40zM20 150Q90 130 110 200Q40 220 20 150z" fill="${ink.leaf}"/><path d="M44 46L116 116M26 154L104 196" stroke="${ink.paper}" stroke-width="6"/></g>
<path d="M0 336H380V400H0z" fill="${ink.place}"/><path d="M36 358h120v20H36zM176 358h80v20h-80zM276 358h68v20h-68z" fill="${ink.paper}"/><path d="${lines}" stroke="${ink.programme}" stroke-width="11" stroke-dasharray="56 9 70 9 34 9"/>
<g transform="translate(206 412) scale(.52)" fill="${ink.date}" fill-rule="evenodd"><path d="${digit[2]}"/><path d="${digit[8]}" transform="translate(158 0)"/></g>
${curl ? `<path d="M380 540H${after ? 250 : 330}L380 ${after ? 420 : 490}z" fill="#C9C2AE"/><path d="M${after ? 250 : 330} 540L380 ${after ? 420 : 490}L${after ? 286 : 340} ${after ? 440 : 494}z" fill="#E6E0CF"/>` : ''}${after && !curl ? '<path d="M0 0H60L0 90z" fill="#C9C2AE"/>' : ''}</g>`;
let wall = '';
for (let row = 0; row < 17; row++)
  for (let column = -1; column < 11; column++) {
    const shade = (row * 7 + column * 11 + ((row * column) % 5)) % 9;
    if (shade > 2 && shade !== 5) continue;
    wall += `<path d="M${column * 160 + (row % 2 ? 80 : 0) + 4} ${row * 60 + 4}h152v52h-152z" fill="${bricks[shade % 3 === 1 ? 1 : 2]}"/>`;
  }
const posters = [
  [66, 90, -1, 0],
  [474, 76, 1, 1],
  [884, 88, 0, 0],
  [1292, 74, -1, 1],
]
  .map((p) => poster(...p))
  .join('');
const cyclist = `<g transform="translate(330 690)"><ellipse cx="220" cy="424" rx="330" ry="22" fill="${O}" opacity=".35"/><g fill="none" stroke="${O}"><g stroke-width="15"><circle cx="30" cy="300" r="120"/><circle cx="430" cy="300" r="120"/></g><path d="M30 300L150 120L390 110L230 300zM150 120L230 300L30 300M390 110L430 300M370 60L390 110M140 90L152 130" stroke-width="14" stroke="${C}"/><path d="M30 300V190M30 300L-64 350M30 300L110 370M430 300V190M430 300L336 350M430 300L510 370" stroke-width="4"/></g><path d="M96 84H190L180 108H110z" fill="${O}"/><path d="M330 66Q380 40 420 66" stroke="${O}" stroke-width="14" fill="none"/>
<path d="M-70 60H90V200H-70z" fill="#C79A5B"/><path d="M-70 60H90V84H-70z" fill="#A87A3C"/><path d="M-50 60V-60H-30V60zM-16 60V-90H8V60zM24 60V-50H46V60zM58 60V-76H76V60z" fill="${P}"/><path d="M-50 10H-30M-16-20H8M24 20H46M58-10H76" stroke="${V}" stroke-width="14"/>
<path d="M120 90Q170 60 220 90L330 210L280 350L236 340L258 226L150 160z" fill="#3A3F4F"/><path d="M236 336L290 350L306 378H226z" fill="#6B3A20"/><path d="M120 96Q110-60 190-130Q260-140 270-80L230 100Q170 120 120 96z" fill="${P}"/><path d="M230 100L270-80Q250-130 220-134Q240-40 190 108z" fill="#C9CED6"/><path d="M210-90Q290-20 380 40L366 66Q260 30 190-40z" fill="#8D5230"/><path d="M186-120L260-84L230-20L170-60z" fill="${P}"/><path d="M200-180H246V-120H200z" fill="#6B3A20"/><path d="M196-190Q190-260 240-262Q290-258 286-200L302-186L284-178Q280-146 246-148Q206-150 196-190z" fill="#8D5230"/><path d="M188-196Q176-276 240-276Q296-272 290-224Q250-236 232-214Q226-180 206-176Q192-180 188-196z" fill="#17131C"/><path d="M262-212h16M256-166q14 4 24-4" stroke="#17131C" stroke-width="7"/></g>`;
const dog = `<g transform="translate(1010 1010)"><ellipse cx="170" cy="88" rx="240" ry="20" fill="${O}" opacity=".4"/><path d="M10 86Q-20-20 120-30Q250-34 300 20Q330 40 340 86z" fill="#D9B27A"/><path d="M10 86Q-6 20 60-14Q30 50 60 86z" fill="#B88A50"/><path d="M250 40Q240-10 290-22L300-50L326-24Q370-10 380 24L420 44Q426 66 396 72L330 86H270z" fill="#D9B27A"/><path d="M290-22L300-50L326-24L310 10z" fill="#8F6432"/><path d="M330 24q14 8 28 0" stroke="${O}" stroke-width="6" fill="none"/><circle cx="414" cy="50" r="9" fill="${O}"/><path d="M300 86h90v-16h-70z" fill="#C79A5B"/><path d="M10 86Q-60 80-50 20Q-40 60 20 60z" fill="#D9B27A"/><path d="M90 20q30 14 40 60M140 0q30 20 34 60" stroke="#B88A50" stroke-width="8" fill="none"/></g>`;
const light = after
  ? `<path d="M0 0H1600V1200H0z" fill="#FFE9B0" opacity=".14"/><path d="M1600 0H1180L760 1200H1600z" fill="${O}" opacity=".16"/><g fill="${O}" opacity=".26"><path d="M180-20L330 930H366L210-20z"/><path d="M140-20H290V70Q210 96 140 60z"/></g>`
  : `<path d="M0 0H420L980 1200H0z" fill="#1B1640" opacity=".16"/>`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">
<defs><clipPath id="sheet"><path d="M0 0H380V336H0z"/></clipPath></defs>
<rect width="1600" height="1200" fill="${bricks[0]}"/>${wall}<path d="${Array.from({ length: 17 }, (_, i) => `M0 ${i * 60}H1600`).join('')}" stroke="#7F4229" stroke-width="6" opacity=".6"/>
<path d="M0 820H1600V930H0z" fill="${after ? '#C9C4B4' : '#DAD6C8'}"/><path d="M0 820H1600V834H0z" fill="#F0ECDE"/><path d="M120 850q10 50-8 74M124 850l20 76M130 852l-30 70M1210 846q14 40 0 80M1216 846l26 74" stroke="#B3240A" stroke-width="11" fill="none" opacity=".75"/>
<path d="M0 930H1600V1060H0z" fill="${after ? '#A9A49A' : '#8F8C90'}"/><path d="M0 930H1600V946H0z" fill="${O}" opacity=".4"/><path d="M200 946L120 1060M620 946L590 1060M1010 946L1020 1060M1420 946L1470 1060" stroke="${O}" stroke-width="5" opacity=".5"/><path d="M0 1060H1600V1200H0z" fill="#4A464C"/><path d="M0 1060H1600V1078H0z" fill="${M}"/>
${posters}${light}
${after ? dog : cyclist}
${after ? `<path d="M700 1000l30-10 10 22-26 8zM560 1040l20-8 8 18-22 4z" fill="#F3EFE2"/>` : ''}
</svg>
`);
