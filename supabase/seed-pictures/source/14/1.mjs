// Eat on Thursday: one mango through seven days, from green to brown; on the fourth it is cut open.
const DAYS = [
  ['#8DBE4E', '#B5D873', '#5F8C34', '#C9E3B4'],
  ['#B9C440', '#DAE272', '#8A9A2A', '#DDEBB0'],
  ['#E9BE34', '#FFE07A', '#C08A1C', '#FBEDB8'],
  ['#F7A11B', '#FFC95A', '#D9740E', '#E4FF3A'],
  ['#EE8A22', '#FFB45A', '#B95A12', '#FFD9A8'],
  ['#C86A26', '#E39A58', '#8F4214', '#E8BE98'],
  ['#7A4A2C', '#A0714E', '#4A2A18', '#C7AE9C'],
];
const O = '#270F11';
const BODY = 'M0-250Q130-240 150-90Q168 60 70 170Q20 230-50 210Q-140 180-150 40Q-156-120-80-210Q-44-250 0-250z';
const WIDTH = 1600 / 7;
let columns = '';
DAYS.forEach(([base, light, dark, sky], day) => {
  const x = Math.round(day * WIDTH);
  const middle = Math.round(x + WIDTH / 2);
  const thursday = day === 3;
  columns += `<path d="M${x} 0h${Math.ceil(WIDTH) + 1}V1066H${x}z" fill="${sky}"/><path d="M${x} 760h${Math.ceil(WIDTH) + 1}V1066H${x}z" fill="${dark}" opacity=".28"/>`;
  columns += `<path d="M${x + 26} 960h${Math.round(WIDTH) - 52}v20H${x + 26}z" fill="${O}" opacity="${thursday ? 1 : 0.18}"/>`;
  for (let bar = 0; bar <= day; bar++)
    columns += `<path d="M${x + 28 + bar * 26} 1000h15v34h-15z" fill="${O}" opacity="${thursday ? 1 : 0.35}"/>`;
  if (thursday) return;
  const wrinkles =
    day > 4
      ? `<path d="M-90-80q40 30 30 90M30-150q40 40 24 110M-40 60q50 10 60 70M60 20q30 40 0 90" stroke="${dark}" stroke-width="7" fill="none" opacity=".8"/><g fill="${dark}"><circle cx="-60" cy="-20" r="${day * 3}"/><circle cx="40" cy="90" r="${day * 4}"/><circle cx="64" cy="-90" r="${day * 2}"/><circle cx="-30" cy="120" r="${day * 2}"/></g>`
      : '';
  const sag = day === 6 ? ' scale(1.06 .9)' : '';
  columns += `<ellipse cx="${middle}" cy="772" rx="98" ry="20" fill="${O}" opacity=".4"/><g transform="translate(${middle} ${day === 6 ? 600 : 586}) scale(.7) rotate(${[4, -3, 5, 0, -4, 3, -6][day]})${sag}"><g clip-path="url(#body)"><path d="${BODY}" fill="${base}"/><path d="M60-260Q120-60-10 120Q-60 190-150 180V260H200V-260z" fill="${dark}" opacity=".55"/><path d="M-150 40Q-156-120-80-210Q-30-252 20-240Q-70-180-96-60Q-110 20-90 110Q-140 110-150 40z" fill="${light}"/>${wrinkles}</g>${day < 5 ? '<path d="M-110-30Q-104-120-60-176" stroke="#fff" stroke-width="15" stroke-linecap="round" fill="none" opacity=".8"/>' : ''}<path d="M0-250q4-36 30-52" stroke="#4A2A0C" stroke-width="18" stroke-linecap="round" fill="none"/>${day < 2 ? '<path d="M14-280Q90-340 170-300Q110-250 14-280z" fill="#3F8A54"/><path d="M14-280Q90-310 170-300" stroke="#24543C" stroke-width="6" fill="none"/>' : ''}</g>`;
});
let cubes = '';
for (let row = 0; row < 7; row++)
  for (let column = 0; column < 5; column++) {
    const [u, v] = [(column - 2) / 2.6, (row - 3) / 3.6];
    if (u * u + v * v > 1.35) continue;
    const bulge = 1 + 0.2 * (1 - u * u - v * v);
    const [x, y] = [u * 150 * bulge, v * 232 * bulge - 6];
    const size = 25 + 7 * (1 - u * u - v * v);
    const [dx, dy] = [u * 15, v * 15];
    const point = (a, b) => `${(x + a).toFixed(0)} ${(y + b).toFixed(0)}`;
    cubes += `<path d="M${point(-size, -size)}L${point(size, -size)}L${point(size, size)}L${point(-size, size)}z" fill="#D9740E"/><path d="M${point(-size + dx, -size + dy - 6)}L${point(size + dx, -size + dy - 6)}L${point(size + dx, size + dy - 10)}L${point(-size + dx, size + dy - 10)}z" fill="#FFB52E"/><path d="M${point(-size + dx, -size + dy - 6)}L${point(size + dx, -size + dy - 6)}L${point(size + dx - 8, -size + dy + 5)}L${point(-size + dx + 8, -size + dy + 5)}z" fill="#FFE08A"/>`;
  }
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1066" width="1600" height="1066">
<defs><clipPath id="flesh"><path d="M-6-262Q158-244 174-40Q176 138 76 230Q0 282-78 230Q-182 138-178-40Q-162-244-6-262z"/></clipPath><clipPath id="body"><path d="${BODY}"/></clipPath></defs>
${columns}
<path d="M0 758H1600V766H0z" fill="${O}" opacity=".5"/>
<ellipse cx="806" cy="846" rx="230" ry="40" fill="${O}" opacity=".5"/>
<g transform="translate(800 500) rotate(-4) scale(1.12)"><path d="M0-290Q190-270 206-40Q210 160 90 262Q0 320-92 262Q-212 160-206-40Q-190-270 0-290z" fill="#D9740E"/><path d="M0-290Q190-270 206-40Q210 160 90 262Q0 320-60 280Q150 200 150-40Q140-220 0-290z" fill="#B9480E"/><path d="M-6-268Q160-250 178-40Q180 140 78 236Q0 290-80 236Q-186 140-182-40Q-166-250-6-268z" fill="#F7931A"/><g clip-path="url(#flesh)">${cubes}</g></g>
<!-- a spoon is not needed: a drop, and a fly who knows the day too -->
<path d="M956 800q26 40 0 62q-28-20 0-62z" fill="#F7931A"/><g transform="translate(1050 230) rotate(24)"><ellipse rx="20" ry="13" fill="${O}"/><circle cx="22" r="9" fill="#EE3A12"/><path d="M-4-6Q-40-50-60-24Q-46-2-4-2zM-4 6Q-30 44-54 30Q-46 8-4 4z" fill="#EDEFF0" stroke="${O}" stroke-width="4"/></g><path d="M1016 250q-40 30-70 0t-60 30" stroke="${O}" stroke-width="5" stroke-dasharray="4 12" stroke-linecap="round" fill="none"/>
</svg>
`);
