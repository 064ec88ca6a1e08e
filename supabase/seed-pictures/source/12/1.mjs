// Nine hundred people, not chewing: exactly 900 heads in rising rows, drawn from parts, from no real face.
let seed = 1913;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const of = (list) => list[Math.floor(random() * list.length)];
const SKIN = ['a', 'b', 'c', 'd', 'e'];
const COLOURS = ['#EE3A12', '#EE3A12', '#2A44F5', '#2A44F5', '#93A0FF', '#E4FF3A', '#EDEFF0'];
const HAIR = ['short', 'short', 'bun', 'plait', 'curly', 'bald', 'veil', 'cap', 'turban', 'scarf', 'bob', 'grey'];
const ROWS = [
  46, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 31, 30, 29, 28, 27, 27, 26, 25, 24, 22, 21, 20, 19,
];
const TOTAL = ROWS.reduce((sum, count) => sum + count, 0);
if (TOTAL !== 900) throw new Error(`${TOTAL} people in the rows`);
let out = '';
let y = 26;
const draw = (x, baseline, scale, chewing) => {
  const kind = of(HAIR);
  const colour = of(COLOURS);
  const gaze = chewing ? 'm1' : random() < 0.7 ? 'm0' : 'm2';
  const extra = chewing ? 'corn' : random() < 0.1 ? 'corn' : random() < 0.08 ? 'cone' : random() < 0.06 ? 'hands' : '';
  out += `<g transform="translate(${Math.round(x)} ${Math.round(baseline)})scale(${scale.toFixed(2)})"><g color="${colour}"><use href="#body"/>${kind === 'veil' ? '<use href="#veil"/>' : ''}<use href="#${of(SKIN)}"/>${kind === 'bald' || kind === 'veil' ? '' : `<use href="#${kind}"/>`}<use href="#${gaze}"/>${extra ? `<use href="#${extra}"/>` : ''}</g></g>`;
};
const last = ROWS.length - 1;
ROWS.forEach((count, row) => {
  const step = 1640 / count;
  const scale = step / 52;
  y += 15 + row * 1.28;
  for (let i = 0; i < count; i++)
    draw(
      -10 + (i + (row % 2 ? 0.25 : 0.75)) * step + (random() - 0.5) * 6,
      y + Math.abs(i / count - 0.5) * -30 + 10 + (random() - 0.5) * 5,
      scale,
      row === last - 5 && i === 15,
    );
  if (row % 4 === 3)
    out += `<path d="M0 0H1600V${Math.round(y + (row < 27 ? 12 : 90) * scale)}H0zM926 700a94 104 0 1 0 188 0a94 104 0 1 0-188 0z" fill-rule="evenodd" fill="#1A0A24" opacity="${row < 12 ? 0.5 : row < 24 ? 0.2 : 0.22}"/>`;
});
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" width="1600" height="900">
<defs>
<path id="body" d="M-26 40Q-26 12 0 12T26 40z" fill="currentColor"/><path id="veil" d="M-20 22Q-24-24 0-24T20 22z" fill="currentColor"/>
${[
  ['a', '#6B3A20'],
  ['b', '#8D5230'],
  ['c', '#A56A3C'],
  ['d', '#B9814F'],
  ['e', '#59301B'],
]
  .map(
    ([id, fill]) =>
      `<g id="${id}"><path d="M-5 6H5V18H-5z" fill="${fill}"/><ellipse rx="13.500" ry="16" fill="${fill}"/><path d="M4-15A13.500 16 0 0 1 4 15Q10 0 4-15z" fill="#270F11" opacity=".3"/></g>`,
  )
  .join('')
  .replaceAll('13.500', '13.5')}
<path id="short" d="M-15-1Q-17-20 0-20T15-1Q11-9 0-9T-15-1z" fill="#17131C"/><path id="grey" d="M-15 1Q-17-20 0-20T15 1Q11-9 0-10T-15 1z" fill="#C9CBD1"/><path id="bun" d="M-14-2Q-16-19 0-19T14-2Q8-12 0-12T-14-2zM-7-20a7 7 0 0 1 14 0z" fill="#17131C"/><path id="plait" d="M-14-2Q-16-19 0-19T14-2Q20 10 15 28L11 26Q13 10 11-4Q6-12 0-12T-14-2z" fill="#17131C"/><g id="curly" fill="#17131C"><circle cx="-11" cy="-10" r="7"/><circle cx="-3" cy="-16" r="8"/><circle cx="7" cy="-15" r="8"/><circle cx="13" cy="-7" r="6"/></g><path id="bob" d="M-16 12Q-20-21 0-21T16 12H11Q14-8 0-10T-11 12z" fill="#17131C"/><path id="cap" d="M-14-8Q-14-21 0-21T14-8L22-6 22-3H-14z" fill="#EDEFF0"/><path id="turban" d="M-17-4Q-19-26 2-26T17-4Q0-14-17-4z" fill="#EE3A12"/><path id="scarf" d="M-17 20Q-20-22 0-22T17 20L11 8Q14-10 0-11T-11 8z" fill="#2A44F5"/>
<g id="m0" fill="#17131C"><circle cx="-5" cy="-5" r="2"/><circle cx="5" cy="-5" r="2"/><ellipse cy="7" rx="3.500" ry="4.500"/></g><g id="m1"><path d="M-8-3q3-4 6 0M2-3q3-4 6 0" stroke="#17131C" stroke-width="2" fill="none"/><path d="M-6 5Q0 2 7 5Q8 11 0 11T-6 5z" fill="#EDEFF0" stroke="#17131C" stroke-width="2"/></g><g id="m2" fill="#17131C"><circle cx="-5" cy="-6" r="2"/><circle cx="5" cy="-6" r="2"/><circle cy="7" r="2.500"/><path d="M-8-11h5M3-11h5" stroke="#17131C" stroke-width="1.500"/></g>
<g id="corn"><path d="M-12 18H12L8 42H-8z" fill="#EDEFF0"/><path d="M-7 18l2 24M0 18v24M7 18l-2 24" stroke="#EE3A12" stroke-width="4"/><g fill="#FFF1B0"><circle cx="-8" cy="16" r="5"/><circle cx="0" cy="13" r="5"/><circle cx="8" cy="16" r="5"/></g></g><g id="cone"><path d="M16 20H28L22 40z" fill="#E0A24A"/><circle cx="22" cy="15" r="7" fill="#FFD9E2"/></g><g id="hands" fill="#A56A3C"><path d="M-16 8Q-8 2-3 8L-6 22H-14zM16 8Q8 2 3 8L6 22H14z"/></g>
</defs>
<rect width="1600" height="900" fill="#270F11"/><path d="M0 0H1600V70H0z" fill="#14208F"/>
${out}
<path d="M1230-10L926 690A94 104 0 0 1 1113 690L1290-10z" fill="#E4FF3A" opacity=".13"/><ellipse cx="1020" cy="700" rx="94" ry="104" fill="none" stroke="#E4FF3A" stroke-width="5"/>
</svg>
`);
