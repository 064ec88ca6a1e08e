// A ride, told: a street map whose route swings like the waveform of the driver's voice.
let seed = 7;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
// City blocks in a rotated grid, with streets of three widths.
let blocks = '';
for (let column = 0, x = -500; x < 2100; column++) {
  const width = 90 + random() * 110;
  for (let y = -600; y < 1500; ) {
    const height = 60 + random() * 120;
    const kind = random();
    const [w, h] = [Math.round(width - 16), Math.round(height - 14)];
    const at = `x="${Math.round(x)}" y="${Math.round(y)}" width="${w}" height="${h}"`;
    if (kind < 0.07) blocks += `<rect ${at} fill="#93A0FF"/><rect ${at} fill="url(#trees)"/>`;
    else if (kind < 0.34) {
      const half = Math.round(w / 2 - 4);
      blocks += `<path d="M${Math.round(x)} ${Math.round(y)}h${half}v${h}h-${half}zm${half + 8} 0h${half}v${Math.round(h * 0.55)}h-${half}z" fill="#3B54FF"/>`;
    } else if (kind < 0.42) blocks += `<rect ${at} fill="#3B54FF"/><rect ${at} fill="url(#roof)"/>`;
    else blocks += `<rect ${at} fill="#3B54FF"/>`;
    y += height;
  }
  x += width + (column % 4 === 2 ? 22 : 0);
}
// The route: a smooth line through these corners, then bars across it as loud as the voice.
const POINTS = [
  [-40, 690],
  [170, 640],
  [300, 470],
  [470, 330],
  [640, 360],
  [760, 520],
  [880, 640],
  [1060, 600],
  [1180, 430],
  [1300, 300],
  [1410, 260],
];
const spline = (t) => {
  const i = Math.min(POINTS.length - 2, Math.floor(t));
  const u = t - i;
  const [a, b, c, d] = [
    POINTS[Math.max(0, i - 1)],
    POINTS[i],
    POINTS[i + 1],
    POINTS[Math.min(POINTS.length - 1, i + 2)],
  ];
  return [0, 1].map(
    (k) =>
      0.5 *
      (2 * b[k] +
        (c[k] - a[k]) * u +
        (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * u * u +
        (3 * b[k] - a[k] - 3 * c[k] + d[k]) * u ** 3),
  );
};
const dense = Array.from({ length: 1600 }, (_, i) => spline((i / 1600) * (POINTS.length - 1)));
let bars = '';
let line = '';
let travelled = 24;
let count = 0;
for (let i = 1; i < dense.length; i++) {
  const [x, y] = dense[i];
  const [dx, dy] = [x - dense[i - 1][0], y - dense[i - 1][1]];
  const step = Math.hypot(dx, dy);
  travelled += step;
  if (i % 20 === 0 || i === 1) line += `${line ? 'L' : 'M'}${x.toFixed(0)} ${y.toFixed(0)}`;
  if (travelled < 17) continue;
  travelled -= 17;
  count++;
  const phrase = Math.abs(Math.sin(count / 5.1)) * Math.abs(Math.sin(count / 17 + 0.4));
  const pause = Math.sin(count / 9.3) < -0.78 ? 0.08 : 1;
  const loud = 5 + (24 + phrase * 84) * pause * (0.45 + random() * 0.55);
  const [nx, ny] = [(-dy / step) * loud, (dx / step) * loud];
  bars += `M${(x - nx).toFixed(0)} ${(y - ny).toFixed(0)}L${(x + nx).toFixed(0)} ${(y + ny).toFixed(0)}`;
}
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" width="1600" height="900">
<defs><pattern id="trees" width="40" height="40" patternUnits="userSpaceOnUse"><circle cx="12" cy="12" r="11" fill="${C}"/><circle cx="31" cy="31" r="8" fill="${C}"/></pattern><pattern id="roof" width="26" height="26" patternUnits="userSpaceOnUse"><path d="M0 4H26" stroke="${C}" stroke-width="7"/></pattern></defs>
<rect width="1600" height="900" fill="#1B2FC2"/><g transform="rotate(-14 800 450)">${blocks}</g>
<path d="M-20 60Q260 150 420 90T900 30Q1200 -30 1300 -40" fill="none" stroke="#93A0FF" stroke-width="52"/><path d="M-20 60Q260 150 420 90T900 30Q1200 -30 1300 -40" fill="none" stroke="${C}" stroke-width="3" stroke-dasharray="26 18"/>
<path d="M980 920Q1120 800 1330 800T1640 690V920z" fill="${O}"/><path d="M980 920Q1120 800 1330 800T1640 690V920z" fill="none" stroke="${P}" stroke-width="7"/><g stroke="#93A0FF" stroke-width="4" fill="none"><path d="M1180 862q20-14 40 0t40 0M1380 850q20-14 40 0t40 0M1500 790q20-14 40 0t40 0M1290 884q16-10 32 0"/></g>
<path d="${line}" fill="none" stroke="${O}" stroke-width="64" stroke-linejoin="round" opacity=".45" transform="translate(10 14)"/>
<path d="${bars}" stroke="${M}" stroke-width="9" stroke-linecap="round"/><path d="${line}" fill="none" stroke="${V}" stroke-width="8"/>
<g transform="translate(1432 252) rotate(72)"><path d="M-56-60h112v150h-112z" fill="${O}" opacity=".6" transform="translate(18 8)"/><path d="M-22-112Q0-132 22-112L34-58H-34z" fill="#F7C21E"/><circle cy="-112" r="9" fill="${O}"/><path d="M-54-62Q0-80 54-62V92H-54z" fill="#F7C21E"/><path d="M-48-40Q0-54 48-40V80Q0 90-48 80z" fill="#17131C"/><path d="M-44-4H44M-44 36H44" stroke="#4A424E" stroke-width="5"/><path d="M-40-56Q0-70 40-56L44-42Q0-54-44-42z" fill="${P}"/><path d="M-66 62h14v30h-14zM52 62h14v30H52z" fill="${O}"/><path d="M-36-26V72" stroke="#5C5360" stroke-width="6"/></g>
<g transform="translate(300 470)"><circle r="20" fill="${P}" stroke="${O}" stroke-width="8"/></g><g transform="translate(880 640)"><circle r="20" fill="${P}" stroke="${O}" stroke-width="8"/></g>
</svg>
`);
