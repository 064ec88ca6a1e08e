// Dentures in a glass: the cobalt plate is a halftone screen, made from a tone drawing; vermilion is solid.
import sharp from 'sharp';

const V = '#EE3A12';
const C = '#2A44F5';
const P = '#EDEFF0';
const M = '#E4FF3A';
const O = '#270F11';
const SIZE = 1600;

/** Dots at 45 degrees, as large as the tone drawing is dark, as one path for each size. */
async function halftone(tone, pitch) {
  const { data, info } = await sharp(Buffer.from(tone))
    .flatten({ background: '#fff' })
    .greyscale()
    .blur(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const sizes = Array.from({ length: 24 }, () => '');
  for (let row = 0, y = 0; y < info.height; row++, y += pitch / 2)
    for (let x = row % 2 ? pitch / 2 : 0; x < info.width; x += pitch) {
      const dark = 1 - data[(Math.round(y) * info.width + Math.round(x)) * info.channels] / 255;
      const size = Math.round(Math.sqrt(dark) * 20);
      if (size > 4) sizes[size] += `M${Math.round(x)} ${Math.round(y)}h0`;
    }
  return sizes
    .map((d, i) => (d ? `<path d="${d}" stroke-width="${((i / 20) * pitch * 0.82).toFixed(1)}"/>` : ''))
    .join('');
}

const teeth = (widths, top, height, curve) => {
  let x = -widths.reduce((sum, width) => sum + width, 0) / 2;
  return widths
    .map((width) => {
      const middle = (x + width / 2) / 330;
      const y = top + curve * middle * middle;
      const d = `M${x + 3} ${y.toFixed(0)}h${width - 6}v${height - 26}q0 26 ${-(width - 6) / 2} 26t${-(width - 6) / 2} -26z`;
      x += width;
      return d;
    })
    .join('');
};
const upper = teeth([56, 74, 86, 92, 92, 86, 74, 56], 0, 150, -66);
const lower = teeth([54, 68, 78, 82, 82, 78, 68, 54], 0, 120, -70);
const GLASS = 'M440 300H1160L1090 1300Q1086 1344 1040 1344H560Q514 1344 510 1300z';
const WATER = 'M468 520H1132L1088 1262Q1084 1306 1040 1306H560Q516 1306 512 1262z';
const tone = await halftone(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}"><defs>
<linearGradient id="water" x1="0" x2="1"><stop stop-color="#555"/><stop offset=".12" stop-color="#999"/><stop offset=".3" stop-color="#ddd"/><stop offset=".7" stop-color="#999"/><stop offset="1" stop-color="#222"/></linearGradient>
<linearGradient id="glass" x1="0" x2="1"><stop stop-color="#999"/><stop offset=".1" stop-color="#fff"/><stop offset=".8" stop-color="#ddd"/><stop offset="1" stop-color="#555"/></linearGradient>
<linearGradient id="shadow" x1="0" x2="1"><stop stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>
<clipPath id="in"><path d="${WATER}"/></clipPath></defs>
<path d="M560 1344H1040L1600 1480V1210H1080z" fill="url(#shadow)"/>
<path d="${GLASS}" fill="url(#glass)"/><path d="${WATER}" fill="url(#water)"/><path d="M512 1262q290 40 576 0v82H512z" fill="#555"/><g clip-path="url(#in)"><path d="M500 900q300 420 620 60v400H500z" fill="#333" opacity=".5"/></g>
<g transform="translate(800 840) rotate(-6) scale(.9)"><path d="M-330 -64Q-330 -220 0 -220T330 -64L300 20Q0 110 -300 20z" fill="#ccc"/><path d="M60 -216Q330 -200 330 -64L300 20Q150 70 60 72z" fill="#888"/><path d="${upper}" fill="#fff"/></g>
<g transform="translate(800 1052) rotate(5) scale(.88)"><path d="M-310 -40Q0 60 310 -40Q330 170 0 190Q-330 170 -310 -40z" fill="#bbb"/><path d="M40 20Q180 20 310 -40Q330 170 0 190z" fill="#777"/><path d="${lower}" fill="#fff"/></g></svg>`,
  52,
);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1600" width="1600" height="1600">
<defs><clipPath id="in"><path d="${GLASS}"/></clipPath></defs>
<rect width="1600" height="1600" fill="${P}"/><rect y="1220" width="1600" height="380" fill="${M}"/><circle cx="640" cy="640" r="520" fill="${V}" /><path d="M0 1220H1600V1226H0z" fill="${O}"/>
<path d="${GLASS}" fill="${P}"/>
<g transform="translate(784 832) rotate(-6) scale(.9)"><path d="M-330 -64Q-330 -220 0 -220T330 -64L300 20Q0 110 -300 20z" fill="${V}"/></g>
<g transform="translate(784 1044) rotate(5) scale(.88)"><path d="M-310 -40Q0 60 310 -40Q330 170 0 190Q-330 170 -310 -40z" fill="${V}"/></g>
<g fill="none" stroke="${C}" stroke-linecap="round" style="mix-blend-mode:multiply">${tone}</g>
<g transform="translate(800 840) rotate(-6) scale(.9)"><path d="${upper}" fill="${P}" stroke="${O}" stroke-width="7"/><path d="M-330 -64Q-330 -220 0 -220T330 -64" fill="none" stroke="${O}" stroke-width="9"/></g>
<g transform="translate(800 1052) rotate(5) scale(.88)"><path d="${lower}" fill="${P}" stroke="${O}" stroke-width="7"/><path d="M-310 -40Q-330 170 0 190T310 -40" fill="none" stroke="${O}" stroke-width="9"/></g>
<path d="${GLASS}" fill="none" stroke="${O}" stroke-width="12"/><path d="M466 520Q800 556 1134 520" fill="none" stroke="${P}" stroke-width="10"/><path d="M466 520Q800 490 1134 520" fill="none" stroke="${O}" stroke-width="8"/><ellipse cx="800" cy="300" rx="360" ry="40" fill="none" stroke="${O}" stroke-width="12"/>
<path d="M500 420L552 1180" stroke="${P}" stroke-width="26" stroke-linecap="round"/><path d="M548 420L566 660" stroke="${P}" stroke-width="10" stroke-linecap="round"/>
<g fill="${P}" stroke="${O}" stroke-width="6"><circle cx="980" cy="640" r="20"/><circle cx="1030" cy="590" r="12"/><circle cx="610" cy="586" r="15"/><circle cx="962" cy="566" r="9"/></g>
<path d="M452 440Q800 500 1148 440" fill="none" stroke="${O}" stroke-width="9"/><path d="M452 440Q340 420 286 520M1148 440Q1260 400 1330 480" fill="none" stroke="${O}" stroke-width="9"/>
<g transform="translate(286 500) rotate(8)"><path d="M0 0L66 54V410H-150V54L-90 0z" transform="translate(18 18)" fill="${O}"/><path d="M0 0L66 54V410H-150V54L-90 0z" fill="${P}" stroke="${O}" stroke-width="8"/><circle cx="-42" cy="54" r="18" fill="${O}"/><path d="M-116 140h148M-116 190h120M-116 240h148" stroke="${C}" stroke-width="14"/><path d="M-110 330q20-60 40-10t40-10 40 0 36-20" stroke="${V}" stroke-width="12" fill="none" stroke-linecap="round"/></g>
<g transform="translate(1360 470) rotate(-7)"><path d="M0 0L66 54V410H-150V54L-90 0z" transform="translate(18 18)" fill="${O}"/><path d="M0 0L66 54V410H-150V54L-90 0z" fill="${V}" stroke="${O}" stroke-width="8"/><circle cx="-42" cy="54" r="18" fill="${O}"/><path d="M-116 140h148M-116 190h148M-116 240h90" stroke="${P}" stroke-width="14"/><path d="M-112 340q34-90 50-30t20-20 30 30 30-30 40 20" stroke="${M}" stroke-width="12" fill="none" stroke-linecap="round"/></g>
</svg>
`);
