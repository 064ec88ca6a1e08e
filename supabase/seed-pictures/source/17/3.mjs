// The tenth: a baraat in the rain, and everybody came.
let seed = 10;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const r = (from, to) => from + random() * (to - from);
const of = (list) => list[Math.floor(random() * list.length)];
const _O = '#270F11';
const SKIN = ['#6B3A20', '#8D5230', '#A56A3C', '#B9814F'];
const CLOTH = ['#EE3A12', '#2A44F5', '#C2185B', '#0E7C66', '#F2B01E', '#7A1A8A', '#EDEFF0', '#F58A3C'];
const umbrella = (x, y, s, colour) =>
  `<g transform="translate(${x} ${y}) scale(${s})"><path d="M0-60V70" stroke="#17131C" stroke-width="5"/><path d="M-90 0Q-84-84 0-88Q84-84 90 0Q68-18 46 0Q24-18 0 0Q-24-18-46 0Q-68-18-90 0z" fill="${colour}"/><path d="M0-88Q84-84 90 0Q68-18 46 0Q44-60 0-88z" fill="#0B0B2A" opacity=".32"/><path d="M-46 0Q-44-60 0-88Q-2-40 0 0" fill="none" stroke="#0B0B2A" stroke-width="3" opacity=".4"/><path d="M-74-24Q-60-62-24-76" stroke="#fff" stroke-width="5" fill="none" opacity=".7" stroke-linecap="round"/><path d="M0-88v-12" stroke="#17131C" stroke-width="6"/></g>`;
const guest = (x, y, s) => {
  const [skin, cloth, veil] = [of(SKIN), of(CLOTH), random() < 0.4];
  const body = `<g transform="translate(${x} ${y}) scale(${s})"><path d="M-44 170Q-48 50 0 40Q48 50 44 170z" fill="${cloth}"/><path d="M10 42Q48 54 44 170H16Q24 90 10 42z" fill="#0B0B2A" opacity=".3"/>${veil ? `<path d="M-30 60Q-36-34 0-36Q36-34 30 60z" fill="${of(CLOTH)}"/>` : ''}<ellipse rx="22" ry="26" fill="${skin}"/>${veil ? '<path d="M-22-4Q-16-24 0-24T22-4Q10-14 0-14T-22-4z" fill="#17131C"/>' : `<path d="M-24-2Q-26-30 0-30T24-2Q14-14 0-14T-24-2z" fill="${random() < 0.35 ? of(['#EE3A12', '#F2B01E', '#C2185B']) : '#17131C'}"/>`}<circle cx="-7" cy="0" r="3" fill="#17131C"/><circle cx="9" cy="0" r="3" fill="#17131C"/><path d="M-7 12q8 8 16 0" stroke="#17131C" stroke-width="3" fill="none"/></g>`;
  return body + umbrella(Math.round(x + 30 * s), Math.round(y - 24 * s), s * 0.9, of(CLOTH));
};
const row = (y, s, step, from, to, skip) => {
  let out = '';
  for (let x = from; x < to; x += step)
    if (!skip?.(x)) out += guest(Math.round(x + r(-10, 10)), Math.round(y + r(-8, 8)), s);
  return out;
};
let rain = '';
for (let i = 0; i < 76; i++) {
  const [x, y, long] = [r(-100, 1660), r(-60, 900), r(34, 90)];
  rain += `M${x.toFixed(0)} ${y.toFixed(0)}l${(-long * 0.28).toFixed(0)} ${long.toFixed(0)}`;
}
let splash = '';
for (let i = 0; i < 18; i++)
  splash += `<ellipse cx="${Math.round(r(0, 1600))}" cy="${Math.round(r(790, 890))}" rx="${Math.round(r(12, 30))}" ry="${Math.round(r(3, 7))}"/>`;
let bulbs = '';
for (let swag = 0; swag < 6; swag++)
  for (let i = 0; i < 12; i++) {
    const t = i / 12;
    const [x, y] = [swag * 280 - 40 + t * 280, 90 + Math.sin(Math.PI * t) * 70];
    bulbs += `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="10" fill="${['#FFE07A', '#EE3A12', '#FFE07A', '#93A0FF'][i % 4]}"/>`;
  }
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" width="1600" height="900">
<rect width="1600" height="900" fill="#12123A"/><path d="M0 430V210H120V150H260V260H340V120H470V430zM1130 430V180H1260V100H1400V240H1500V170H1600V430z" fill="#1C1C55"/><g fill="#FFE07A" opacity=".75"><path d="M30 250h26v32H30zM150 190h26v32h-26zM200 240h26v32h-26zM370 160h26v32h-26zM416 210h26v32h-26zM1160 220h26v32h-26zM1290 140h26v32h-26zM1340 190h26v32h-26zM1530 210h26v32h-26z"/></g>
<circle cx="800" cy="380" r="420" fill="#F58A3C" opacity=".16"/><circle cx="800" cy="400" r="290" fill="#FFB52E" opacity=".18"/>
${bulbs}
<path d="M0 700H1600V900H0z" fill="#0B0B2A"/>
${row(440, 0.62, 74, 20, 1600)}${row(500, 0.8, 96, -10, 1620, (x) => x > 640 && x < 960)}
<!-- the groom on a white mare -->
${umbrella(890, 290, 2.1, '#F2B01E')}
<g transform="translate(640 330)"><path d="M70 250Q60 210 110 200H270Q310 200 320 240Q340 330 310 350L316 500H284L270 372L130 376L120 500H88L92 360Q60 320 70 250z" fill="#EDEFF0"/><path d="M250 200Q310 200 320 240Q340 330 310 350L316 500H300L290 350Q310 280 250 200z" fill="#B9BEC4"/><path d="M200 376L206 500H178L168 376zM246 372L250 500H224L220 374z" fill="#B9BEC4"/><path d="M84 230Q40 180 20 110L-30 130Q-64 140-70 120Q-66 98-30 84Q-10 40 20 36L24 12L44 36Q90 60 130 206z" fill="#EDEFF0"/><path d="M44 36Q90 60 130 206L104 204Q80 100 30 50z" fill="#8E1F2F"/><circle cx="0" cy="76" r="7" fill="#17131C"/><path d="M-52 124q10 6 22 0M-30 84L20 100" stroke="#B3161C" stroke-width="7" fill="none"/><path d="M318 240Q360 270 340 380" stroke="#B9BEC4" stroke-width="22" fill="none" stroke-linecap="round"/>
<path d="M100 200H290L300 320Q200 350 96 320z" fill="#B3161C"/><path d="M96 300Q200 330 300 300L301 322Q200 352 96 322z" fill="#F2B01E"/><g fill="#F2B01E"><circle cx="140" cy="250" r="9"/><circle cx="190" cy="262" r="9"/><circle cx="244" cy="250" r="9"/></g>
<path d="M140 210Q136 90 200 76Q264 90 258 210z" fill="#F6E3B4"/><path d="M214 80Q264 96 258 210H226Q240 130 214 80z" fill="#D9BE82"/><path d="M150 120L250 190" stroke="#C2185B" stroke-width="22"/><path d="M168 200Q150 290 160 330H192Q190 270 210 220z" fill="#D9BE82"/><path d="M150 326h52v20h-62z" fill="#B3161C"/><path d="M160 130Q110 170 90 160L84 182Q130 200 180 168z" fill="#F6E3B4"/><circle cx="84" cy="170" r="15" fill="#A56A3C"/>
<ellipse cx="196" cy="40" rx="35" ry="41" fill="#A56A3C"/><path d="M158 30Q150-34 200-38Q248-34 236 30Q196 4 158 30z" fill="#EE3A12"/><path d="M160 10Q200-20 236 10" stroke="#F2B01E" stroke-width="9" fill="none"/><path d="M196-36Q180-80 200-96Q224-80 204-36z" fill="#F2B01E"/><circle cx="198" cy="-20" r="9" fill="#EDEFF0"/><path d="M164 26V84M176 30V92M188 32V96M200 32V96M212 30V92M226 26V84" stroke="#FFE07A" stroke-width="6" stroke-dasharray="6 5"/></g>
${row(590, 1.02, 132, 30, 1600, (x) => x > 560 && x < 1010)}
<!-- the band, the lamps, and late arrivals -->
${row(690, 1.3, 176, 60, 1640, (x) => x > 520 && x < 1060)}
<g transform="translate(500 660)"><path d="M-70 250Q-76 70 0 56Q76 70 70 250z" fill="#B3161C"/><path d="M-60 110L60 90M-60 150L62 130" stroke="#F2B01E" stroke-width="13"/><ellipse rx="34" ry="40" fill="#8D5230"/><path d="M-40-10Q-36-50 0-52T40-10Q0-26-40-10z" fill="#B3161C"/><path d="M-40-10Q0-30 40-10V0Q0-18-40 0z" fill="#F2B01E"/><circle cx="14" cy="-2" r="5" fill="#17131C"/><path d="M20 24Q40 20 48 14" stroke="#5C321C" stroke-width="7"/><path d="M40 20L150-30" stroke="#F2B01E" stroke-width="15"/><path d="M136-44Q190-80 230-110L250-20Q200-20 150-14z" fill="#F2B01E"/><ellipse cx="240" cy="-66" rx="17" ry="46" transform="rotate(10 240 -66)" fill="#8A5A12"/><path d="M60 90Q110 60 120 0L140 6Q136 90 70 130z" fill="#8E0F1A"/><circle cx="128" cy="0" r="17" fill="#8D5230"/></g>
<g transform="translate(1050 640)"><path d="M-56 270Q-60 80 0 64Q60 80 56 270z" fill="#0E7C66"/><ellipse rx="30" ry="36" fill="#6B3A20"/><path d="M-32-4Q-30-42 0-44T32-4Q0-18-32-4z" fill="#17131C"/><path d="M-12 14q12 10 24 0" stroke="#17131C" stroke-width="5" fill="none"/><circle cx="-9" cy="-2" r="4" fill="#17131C"/><circle cx="11" cy="-2" r="4" fill="#17131C"/><path d="M-40 90L-50-40M40 90L50-40" stroke="#6B3A20" stroke-width="22" stroke-linecap="round"/><path d="M0-60V-120" stroke="#8A5A12" stroke-width="13"/><path d="M-60-50H60" stroke="#8A5A12" stroke-width="13"/><path d="M-50-130H50L34-70H-34z" fill="#C79A3C"/><path d="M-44-190Q-50-130 0-126T44-190Q0-240-44-190z" fill="#FFF1B0"/><circle cy="-170" r="84" fill="#FFE07A" opacity=".25"/></g>
<g fill="none" stroke="#93A0FF" stroke-width="4" opacity=".8">${splash}</g>
<path d="${rain}" stroke="#B9C2FF" stroke-width="4" stroke-linecap="round" opacity=".75"/>
</svg>
`);
