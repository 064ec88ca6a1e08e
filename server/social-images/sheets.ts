import type { SocialCard } from '../../app/site.ts';

export const SHEET = { width: 1200, height: 630 };

export const INK = '#1b1220';
const MARKER = '#e4ff3a';

type Colours = SocialCard['colours'];

type Rect = { x: number; y: number; width: number; height: number };

const sheet = ({ paper }: Colours, drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SHEET.width}" height="${SHEET.height}"><defs>
    <pattern id="dots" width="15" height="15" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><circle cx="7.5" cy="7.5" r="3.8" fill="${paper}"/></pattern>
  </defs><rect width="100%" height="100%" fill="${paper}"/>${drawing}</svg>`;

const plate = ({ x, y, width, height }: Rect, style: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${style}/>`;

const plates = (colours: Colours, hand: Rect, machine: Rect) =>
  `<g style="isolation:isolate">${plate(hand, `fill="${colours.hand}"`)}${plate(machine, `fill="${colours.machine}" style="mix-blend-mode:multiply"`)}</g>`;

function cropMarks({ x, y, width, height }: Rect, colour: string): string {
  const corner = (x: number, y: number, dx: number, dy: number) =>
    `M${x + 10 * dx} ${y}l${14 * dx} 0M${x} ${y + 10 * dy}l0 ${14 * dy}`;
  const [right, bottom] = [x + width, y + height];
  const lines = corner(x, y, -1, -1) + corner(right, y, 1, -1) + corner(x, bottom, -1, 1) + corner(right, bottom, 1, 1);
  return `<path d="${lines}" stroke="${colour}" stroke-width="2"/>`;
}

export const EXPERIMENT = {
  hand: { x: 0, y: 126, width: 700, height: 390 },
  machine: { x: 604, y: 0, width: 596, height: 546 },
  words: { x: 48, y: 158, width: 532, height: 326 },
  cover: { x: 640, y: 76, width: 528, height: 396 },
  mark: { x: 48, y: 46, width: 532, height: 34 },
  slip: { x: 48, y: 564, width: 900, height: 22 },
  strip: { x: 988, y: 562, width: 180, height: 22 },
};

type Shares = NonNullable<Extract<SocialCard, { kind: 'experiment' }>['shares']>;

const UNKNOWN_SHARES: Shares = { hand: 50, together: 0 };

function strip(colours: Colours, { x, y, width, height }: Rect, { hand, together }: Shares): string {
  const ink = (percent: number) => Math.round((width * (percent + together / 2)) / 100);
  const byMachine = ink(100 - hand);
  const right = { x: x + width - byMachine, y, width: byMachine, height };
  return plates(colours, { x, y, width: ink(hand), height }, right);
}

export function experimentSheet(colours: Colours, covered: boolean, shares: Shares | null): string {
  const { hand, machine, cover, strip: place } = EXPERIMENT;
  const bar = { ...place, x: place.x + place.width - 2 * place.height, width: 2 * place.height };
  const picture = (covered ? '' : placeholder(colours, cover)) + cropMarks(cover, colours.paper);
  const shown = shares ? strip(colours, place, shares) : strip(colours, bar, UNKNOWN_SHARES);
  return sheet(colours, plates(colours, hand, machine) + picture + shown);
}

const placeholder = ({ hand, machine, paper }: Colours, { x, y, width, height }: Rect) =>
  `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 528 396"><rect width="528" height="396" fill="${paper}"/>
    <g style="isolation:isolate"><circle cx="188" cy="186" r="146" fill="${hand}"/><circle cx="340" cy="214" r="146" fill="${machine}" style="mix-blend-mode:multiply"/></g>
    <path d="M340 68a146 146 0 0 1 0 292z" fill="url(#dots)" opacity=".75"/>
    <path d="M66 318c32-118 84-196 96-150s-66 118-40 122 108-152 140-134-62 132-36 138 96-134 128-118-46 108-22 116 64-70 126-66" fill="none" stroke="${MARKER}" stroke-width="15" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const STRIP = 86;
const [W, H] = [SHEET.width, SHEET.height];
const MARGIN = STRIP + 44;
const WIDTH = W - 2 * MARGIN;
const lineIn = (y: number, height: number) => ({ x: MARGIN, y: y + (STRIP - height) / 2, width: WIDTH, height });

const words = { x: MARGIN, y: STRIP + 40, width: WIDTH, height: H - 2 * STRIP - 80 };
export const PAGE = { words, slip: lineIn(0, 22), mark: lineIn(H - STRIP, 34) };

export function pageSheet(colours: Colours, handFirst: boolean): string {
  const upper = { x: 0, y: 0, width: W - STRIP, height: H - STRIP };
  const lower = { ...upper, x: STRIP, y: STRIP };
  const inks = handFirst ? plates(colours, upper, lower) : plates(colours, lower, upper);
  const dots = plate({ x: W - STRIP, y: STRIP, width: STRIP, height: 236 }, 'fill="url(#dots)" opacity=".45"');
  return sheet(colours, inks + dots);
}
