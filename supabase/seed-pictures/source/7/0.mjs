// Draws 0.svg: the tower cut open, nineteen floors, a home on either side of the lift, another play on each.

const FLOORS = 19;
const HEIGHT = 56;
const GROUND = 1150;
const WALLS = [
  '#F4B223',
  '#EE3A12',
  '#8D9CFF',
  '#2E9E7A',
  '#F6D9D0',
  '#E0337A',
  '#E4FF3A',
  '#5D78FF',
  '#FFB48A',
  '#DFE3E5',
];
const INK = '#270F11';
const SKINS = ['#8A4B2D', '#A9643C', '#6A3520', '#C68552'];
const CLOTHES = ['#EDEFF0', '#2A44F5', '#7B1E54', '#EE3A12', '#2E8B57', '#F4B223'];

let pick = 0;
const next = (list) => {
  pick = (pick + 7) % 1009;
  return list[pick % list.length];
};
// Scenes stand on the floor line (y = 0) and are about 300 wide.
const head = (x, y) =>
  `<circle cx="${x}" cy="${y}" r="6.500" fill="${next(SKINS)}"/><path d="M${x - 7} ${y}a7 8 0 0 1 14-1c-4-4-10-4-14 1z" fill="${INK}"/>`;
const person = (x, lean = 0) =>
  `<path d="M${x - 8} 0L${x - 7 + lean}-26q${7}-8 14 0L${x + 8} 0z" fill="${next(CLOTHES)}"/>${head(x + lean, -36)}`;
const arm = (fromX, fromY, toX, toY) =>
  `<path d="M${fromX} ${fromY}L${toX} ${toY}" stroke="${next(SKINS)}" stroke-width="5" stroke-linecap="round"/>`;
const lampAt = (x) =>
  `<path d="M${x}-50v10" stroke="${INK}" stroke-width="2"/><path d="M${x - 10}-34l5-7h10l5 7z" fill="${INK}"/><circle cx="${x}" cy="-32" r="4" fill="#FFF6D0"/>`;
const table = (x, wide) => `<path d="M${x} -18h${wide}v5h-4v13h-4v-13h-${wide - 16}v13h-4v-13h-4z" fill="${INK}"/>`;
const SCENES = [
  () =>
    `<path d="M20-22h70v22h-70zM12-14h12v14h-12zM88-14h12v14h-12z" fill="#16259A"/>${person(50)}${person(70)}<path d="M200-36h60v36h-60z" fill="${INK}"/><path d="M206-32h48v24h-48z" fill="#BFE6F2"/>${lampAt(140)}`,
  () =>
    `${table(60, 130)}${person(50)}${person(200)}${person(124)}<path d="M84-22h24M136-22h24" stroke="#EDEFF0" stroke-width="6"/>${lampAt(124)}`,
  () =>
    `<path d="M40-18h140v18h-140z" fill="#EDEFF0"/><path d="M80-24h100v14h-100z" fill="#7B1E54"/><circle cx="60" cy="-22" r="7" fill="#8A4B2D"/><path d="M200-48h50v34h-50z" fill="#16259A"/><circle cx="232" cy="-38" r="6" fill="#FFF6D0"/>`,
  () =>
    `${person(90, -5)}${person(130, 5)}${arm(94, -24, 110, -46)}${arm(126, -24, 110, -46)}${arm(82, -22, 66, -40)}${arm(140, -22, 156, -40)}<path d="M220-26h30v26h-30z" fill="${INK}"/><circle cx="235" cy="-13" r="8" fill="#EDEFF0"/><path d="M190-40q4-10 10-4v14M40-36q4-10 10-4v14" stroke="${INK}" stroke-width="3" fill="none"/>`,
  () =>
    `<path d="M20-30h110v30h-110z" fill="#EDEFF0"/><path d="M20-34h110v6h-110z" fill="${INK}"/><path d="M40-46h24v12h-24zM92-42h20v8h-20z" fill="#8D96A0"/><path d="M50-48q-6-6 0-10" stroke="#fff" stroke-width="3" fill="none"/>${person(156)}${arm(150, -24, 114, -40)}<path d="M210-54h50v54h-50z" fill="#DFE3E5"/><path d="M210-32h50M216-44v8M216-26v10" stroke="${INK}" stroke-width="2"/>`,
  () =>
    `<path d="M80-50L90-12M150-50L140-12" stroke="${INK}" stroke-width="2"/><path d="M84-14h62v6h-62z" fill="#8E4A1C"/><g transform="translate(116 -8) scale(.9)">${person(0)}</g><path d="M220 0v-20h24v20z" fill="#C8653A"/><path d="M232-18C200-30 206-50 216-52c4 10 10 10 16 4 6 6 14 4 18-6 8 10 6 28-18 36z" fill="#1A5C3A"/>`,
  () =>
    `<path d="M60-34h80v6h-80z" fill="${INK}"/><path d="M64-28v28M136-28v28" stroke="${INK}" stroke-width="4"/><path d="M66-40h60v6h-60z" fill="#EDEFF0"/><path d="M92-48l20 0 8 12h-30z" fill="#EE3A12"/>${person(160)}${arm(154, -24, 112, -44)}<path d="M210-50h66" stroke="${INK}" stroke-width="2"/><path d="M216-50h18v26h-18zM242-50h22v20h-22z" fill="#EDEFF0"/>`,
  () =>
    `<path d="M50 0l10-22h26l10 22z" fill="#8E4A1C"/><ellipse cx="73" cy="-22" rx="13" ry="4" fill="#EDEFF0"/><path d="M104 0l6-16h22l6 16z" fill="#8D96A0"/><ellipse cx="121" cy="-16" rx="11" ry="4" fill="#EDEFF0"/>${person(30)}${arm(36, -24, 66, -26)}${person(190)}${arm(184, -26, 170, -44)}${lampAt(250)}`,
  () =>
    `<path d="M130 0V-50M130-30l70-20M130-30l70 10" stroke="#8E4A1C" stroke-width="4"/><g transform="translate(0 -10)">${person(150)}</g>${arm(150, -36, 150, -52)}<path d="M120-54h60" stroke="${INK}" stroke-width="6"/><path d="M40 0v-26h40v26z" fill="#EDEFF0"/><path d="M44-22h32v14h-32z" fill="#16259A"/>`,
  () =>
    `${table(80, 100)}<path d="M112-30h36v12h-36z" fill="#F6D9D0"/><path d="M118-36v6M130-36v6M142-36v6" stroke="#EE3A12" stroke-width="3"/>${person(70)}${person(196)}${person(220)}${person(44)}<g fill="#EE3A12"><circle cx="30" cy="-46" r="7"/><circle cx="240" cy="-44" r="7"/></g><g fill="#2A44F5"><circle cx="250" cy="-50" r="6"/><circle cx="20" cy="-38" r="6"/></g>`,
  () =>
    `<path d="M60 0h110" stroke="#7B1E54" stroke-width="5"/><path d="M80-4l26-30 28 30M106-34l-14 8" stroke="#8A4B2D" stroke-width="7" fill="none" stroke-linejoin="round"/><circle cx="140" cy="-6" r="7" fill="#8A4B2D"/><path d="M220-46h50v40h-50z" fill="#8E4A1C"/><path d="M226-42h38v14h-38zM226-24h38v14h-38z" fill="#F4B223"/>`,
  () =>
    `<path d="M40-44h60v44h-60z" fill="${INK}"/><path d="M40-20h60v6h-60z" fill="#EDEFF0"/><path d="M46-20v6M54-20v6M62-20v6M70-20v6M78-20v6M86-20v6" stroke="${INK}" stroke-width="2"/>${person(120)}${arm(116, -24, 98, -18)}<path d="M180-10q20-24 40-8l6-8 2 10q6 8-4 16h-40z" fill="${INK}"/>${lampAt(240)}`,
  () =>
    `${person(100)}${arm(106, -26, 116, -36)}<path d="M150-54v30M150-24q10 10 0 18-10-8 0-18" stroke="${INK}" stroke-width="3" fill="none"/><path d="M190-16h60v16h-60z" fill="#16259A"/><path d="M184-30h12v30h-12z" fill="#16259A"/><path d="M30-50h34v44h-34z" fill="#8E4A1C"/><path d="M34-46h26v36h-26z" fill="#BFE6F2"/>`,
  () =>
    `<path d="M40-8h90v8h-90z" fill="#8E4A1C"/><path d="M60-12h50v5h-50z" fill="#F6D9D0"/><circle cx="85" cy="-12" r="3" fill="#EE3A12"/><g transform="translate(0 0) scale(1)">${person(30)}${person(144)}</g><path d="M200-54v20l-20 10M200-34l20 10" stroke="${INK}" stroke-width="3" fill="none"/><path d="M176-26a24 8 0 0 0 48 0z" fill="#F4B223"/>`,
];

const floors = Array.from({ length: FLOORS }, (_, floor) => {
  const y = GROUND - floor * HEIGHT;
  const left = WALLS[(floor * 3) % WALLS.length];
  const right = WALLS[(floor * 7 + 4) % WALLS.length];
  const home = (x, wall, scene, flip) => {
    const dark = (floor * 5 + (flip ? 3 : 0)) % 7 === 2;
    const fill = dark ? '#16205E' : wall;
    const move = flip ? `translate(${x + 560} ${y}) scale(-1 1)` : `translate(${x} ${y})`;
    return `<path d="M${x} ${y - HEIGHT + 6}h560v${HEIGHT - 6}h-560z" fill="${fill}"/>${dark ? `<circle cx="${x + 90 + ((floor * 60) % 300)}" cy="${y - 18}" r="7" fill="#E4FF3A"/>` : `<g transform="${move}">${SCENES[scene % SCENES.length]()}<g transform="translate(280 0)">${SCENES[(scene + 5) % SCENES.length]()}</g></g>`}<path d="M${x + 276} ${y - HEIGHT + 6}h7v${HEIGHT - 6}h-7z" fill="${INK}" opacity=".55"/>`;
  };
  return `${home(150, left, floor * 3 + 1, false)}${home(890, right, floor * 5 + 4, true)}<path d="M130 ${y}h1340v7h-1340z" fill="${INK}"/><path d="M790 ${y - HEIGHT + 6}h20v${HEIGHT}h-20z" fill="#0A0728" opacity="0"/><path d="M716 ${y - 46}h22v46h-22zM862 ${y - 46}h22v46h-22z" fill="#8E4A1C"/><circle cx="733" cy="${y - 22}" r="2.500" fill="#F7D774"/><circle cx="867" cy="${y - 22}" r="2.500" fill="#F7D774"/>`;
});
const balconies = Array.from({ length: FLOORS }, (_, floor) => {
  const y = GROUND - floor * HEIGHT;
  return `M96 ${y}h54M100 ${y - 20}h50M104 ${y - 20}v20M126 ${y - 20}v20M1450 ${y}h54M1450 ${y - 20}h50M1474 ${y - 20}v20M1496 ${y - 20}v20`;
});
const lift = GROUND - 9 * HEIGHT;

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="0 0 1600 1200">
<rect width="1600" height="1200" fill="#2A44F5"/>
<g>
<circle cx="60" cy="180" r="110" fill="#EDEFF0"/><path d="M-20 760H1620V1220H-20z" fill="#1E33C9"/><g stroke="#8D9CFF" stroke-width="5" stroke-linecap="round"><path d="M10 800h60M30 850h50M0 910h70M1520 800h60M1540 860h50M1510 920h70M20 980h50M1530 1000h50"/></g>
<path d="M-20 ${GROUND}H1620V1230H-20z" fill="#0E1770"/>
<path d="M130 80H1470V${GROUND + 6}H130z" fill="${INK}"/><path d="M740 40H860V${GROUND}H740z" fill="#0A0728"/>
<path d="M690-10h220v56H690z" fill="${INK}"/><path d="M1020 6h200v76h-200z" fill="#16259A"/><path d="M1020 6h200v14h-200z" fill="#5D78FF"/><path d="M300 80V-10M260 20h80M270 44h60" stroke="${INK}" stroke-width="6"/><path d="M420 82V40h120v42M440 40q40-30 80 0" stroke="${INK}" stroke-width="6" fill="none"/><path d="M430 52h26v22h-26zM466 52h22v18h-22zM500 52h30v26h-30z" fill="#EDEFF0"/>
${floors.join('\n')}
<path d="${balconies.join('')}" stroke="${INK}" stroke-width="5"/>
<path d="M780 46V${lift - 66}M820 46V${lift - 66}" stroke="#8D96A0" stroke-width="4"/>
<g transform="translate(800 ${lift + 4})"><path d="M-66-74H66V6H-66z" fill="#F7D774"/><path d="M-58-66H58V0H-58z" fill="#FFF6D0"/><path d="M-36 0l4-22h22l4 22" stroke="#8E4A1C" stroke-width="6" fill="none"/><path d="M-38-20h34v6h-34z" fill="#8E4A1C"/><path d="M-34-20c0-24 4-30 14-30s14 6 14 30h14v20h-10v-12h-32z" fill="#B58A4A"/><circle cx="-20" cy="-56" r="8" fill="#8A4B2D"/><path d="M-29-56c0-14 18-14 18 0z" fill="#EDEFF0"/><path d="M18 0l2-36q9-10 18 0l4 36z" fill="#E0337A"/><circle cx="29" cy="-46" r="8" fill="#A9643C"/><path d="M20-46c0-14 20-14 20 4l-4 10c-2-10-8-14-16-14z" fill="#1B1220"/></g>
<path d="M60 ${GROUND}C66 1080 60 1020 40 960" stroke="#5E3D1C" stroke-width="14" fill="none"/><path d="M40 960c-50-20-70 20-74 50 30-30 50-40 74-50zM40 960c40-40 70-10 80 20-30-16-54-20-80-20zM40 960c-10-50-50-50-70-40 30 6 50 20 70 40zM40 960c20-50 50-50 60-44-30 10-46 24-60 44z" fill="#1A5C3A"/>
</g>
</svg>
`,
);
