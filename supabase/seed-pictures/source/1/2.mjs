// Draws 2.svg: four teas seen from above, each with the ripples of another language.

const WAVES = [
  { x: 560, y: 330, lobes: 3, depth: 0.17, twist: 0.5 },
  { x: 1000, y: 300, lobes: 8, depth: 0.12, twist: 0 },
  { x: 600, y: 760, lobes: 5, depth: 0.2, twist: 1.1 },
  { x: 1040, y: 740, lobes: 12, depth: 0.09, twist: 2.2 },
];
const RADIUS = 152;

function ring({ x, y, lobes, depth, twist }, radius) {
  const points = Array.from({ length: 145 }, (_, step) => {
    const angle = (step / 144) * 2 * Math.PI;
    const wave = 1 + depth * Math.sin((Math.PI * radius) / RADIUS) * Math.cos(lobes * angle + (twist * radius) / 30);
    return `${Math.round(x + radius * wave * Math.cos(angle))} ${Math.round(y + radius * wave * Math.sin(angle))}`;
  });
  return `M${points.join('L')}z`;
}

const cup = (wave) => {
  const { x, y } = wave;
  const rings = [22, 44, 66, 88, 110, 132].map((radius) => ring(wave, radius)).join('');
  return `<ellipse cx="${x + 46}" cy="${y + 52}" rx="206" ry="200" fill="#270F11" opacity=".85"/>
<circle cx="${x}" cy="${y}" r="200" fill="#8E3A1C"/><circle cx="${x - 6}" cy="${y - 8}" r="192" fill="#D9703D"/>
<path d="M${x - 178} ${y + 20}a180 180 0 0 1 200-205" fill="none" stroke="#F6B58A" stroke-width="12" stroke-linecap="round"/>
<circle cx="${x}" cy="${y}" r="170" fill="#6B2812"/><circle cx="${x + 6}" cy="${y + 8}" r="160" fill="#B06A34"/>
<path d="${rings}" fill="none" stroke="#F3CE98" stroke-width="8" stroke-linejoin="round"/><circle cx="${x}" cy="${y}" r="8" fill="#F3CE98"/>
<path d="M${x - 152} ${y}a160 160 0 0 1 320 0a150 132 0 0 0-320 0z" fill="#4A1A0C" opacity=".55"/>`;
};

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1067" viewBox="0 0 1600 1067">
<defs><filter id="r" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence type="fractalNoise" baseFrequency=".015" numOctaves="2" seed="4"/><feDisplacementMap in="SourceGraphic" scale="6" xChannelSelector="R" yChannelSelector="G"/></filter>
<pattern id="check" width="220" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(32)"><rect width="220" height="220" fill="#EDEFF0"/><path d="M0 55H220M55 0V220" stroke="#2A44F5" stroke-width="110" opacity=".5"/></pattern></defs>
<rect width="1600" height="1067" fill="url(#check)"/>
<g filter="url(#r)">
<circle cx="838" cy="572" r="610" fill="#270F11" opacity=".8"/>
<circle cx="800" cy="534" r="610" fill="#8D959D"/><circle cx="800" cy="534" r="592" fill="#D5DADF"/><circle cx="800" cy="534" r="552" fill="#AEB6BD"/><circle cx="806" cy="540" r="542" fill="#C3CAD0"/>
<path d="M800 534L330 262A542 542 0 0 1 560 48zM800 534L1270 806A542 542 0 0 1 1040 1020z" fill="#E9EDEF"/><path d="M800 534L1180 146A542 542 0 0 1 1270 262zM800 534L420 922A542 542 0 0 1 330 806z" fill="#9FA8B0"/>
<g fill="none" stroke="#98A1A9" stroke-width="3" opacity=".7"><circle cx="800" cy="534" r="500"/><circle cx="800" cy="534" r="440"/><circle cx="800" cy="534" r="360"/><circle cx="800" cy="534" r="240"/></g>
${WAVES.map(cup).join('\n')}
<path d="M-40 700C60 640 150 640 210 680c50 30 150 20 176 60 14 40-30 60-80 56-40-2-70-16-100-14-60 40-70 150-150 210-40 40-80 60-110 60z" fill="#8A4B2D"/>
<path d="M-40 760C60 720 110 760 150 800c30 40-10 120-70 180-40 40-80 70-120 80z" fill="#6A3520"/>
<path d="M386 736c10 26-20 46-56 46 10-26 26-42 56-46z" fill="#E7B79A"/>
<path d="M-40 640L70 630C110 740 96 930 20 1100H-40z" fill="#EE3A12"/><path d="M70 630C110 740 96 930 20 1100" fill="none" stroke="#A32308" stroke-width="12"/>
<path d="M1330 930c20-14 50 0 56 20s-20 40-44 32-30-40-12-52z" fill="#B06A34"/><path d="M1240 962c10-8 26 0 28 10s-10 20-22 16-16-20-6-26z" fill="#B06A34"/>
</g>
</svg>
`,
);
