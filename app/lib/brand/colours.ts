/** Two inks and the paper of the light theme, as `#rrggbb`. */
export type BrandColours = { hand: string; machine: string; paper: string };

export const builtInColours: BrandColours = { hand: '#ee3a12', machine: '#2a44f5', paper: '#edeff0' };
export const INK = '#1b1220';
const DARK_PAPER = '#15111a';

export const isColour = (text: string) => /^#[\da-f]{6}$/.test(text);

type Rgb = [number, number, number];

const rgb = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb;
const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0');
const combine = (one: string, other: string, channel: (a: number, b: number) => number) =>
  `#${rgb(one)
    .map((value, at) => hex(channel(value, rgb(other)[at]!)))
    .join('')}`;
const mix = (from: string, to: string, share: number) => combine(from, to, (a, b) => a + (b - a) * share);
export const multiply = (one: string, other: string) => combine(one, other, (a, b) => Math.floor((a * b) / 255));

/** Relative luminance of WCAG 2. private.luminance() in SQL is the same. */
function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of WCAG 2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export const onHand = ({ hand, paper }: BrandColours) => (contrast(INK, hand) >= contrast(paper, hand) ? INK : paper);

type Rule = readonly [fits: (colours: BrandColours) => boolean, path: readonly [keyof BrandColours], message: string];

const TOO_PALE = 'too pale on the paper: choose a darker colour';

/** Keep every pair of text and background at 4.5 : 1 or more in both themes, as private.check_brand() in SQL does. */
export const COLOUR_RULES: readonly Rule[] = [
  [
    ({ paper }) => contrast(INK, paper) >= 14,
    ['paper'],
    'This paper is too dark for the texts on it: choose a lighter colour',
  ],
  [({ machine, paper }) => contrast(machine, paper) >= 5.2, ['machine'], `Links in this colour are ${TOO_PALE}`],
  [({ hand, paper }) => contrast(hand, paper) >= 3, ['hand'], `This colour is ${TOO_PALE}`],
  [
    (colours) => contrast(onHand(colours), colours.hand) >= 4.5,
    ['hand'],
    'Neither dark nor light words can be read on this colour: choose a darker or a lighter one',
  ],
];

const STEPS = 25;

/** The nearest colour on the way to `target` that has this contrast to a background. */
function reaching(colour: string, target: string, background: string, least: number): string {
  for (let step = 0; step < STEPS; step++) {
    const next = mix(colour, target, step / STEPS);
    if (contrast(next, background) >= least) return next;
  }
  return target;
}

/** Custom properties that replace those of tokens.css; none for the built-in colours. */
export function brandStyle(colours: BrandColours): Record<`--${string}`, string> | undefined {
  const { hand, machine, paper } = colours;
  if (hand === builtInColours.hand && machine === builtInColours.machine && paper === builtInColours.paper)
    return undefined;
  const papers = [mix(paper, INK, 0.06), mix(DARK_PAPER, paper, 0.06)] as const;
  const overprint = multiply(hand, machine);
  const dark = { hand: reaching(hand, '#ffffff', DARK_PAPER, 6), machine: reaching(machine, '#ffffff', DARK_PAPER, 7) };
  const both = (light: string, other: string) => `light-dark(${light}, ${other})`;
  return {
    '--paper': both(paper, DARK_PAPER),
    '--paper-2': both(...papers),
    '--ink': both(INK, paper),
    '--hand': both(hand, dark.hand),
    '--hand-text': both(reaching(hand, '#000000', papers[0], 4.7), reaching(dark.hand, '#ffffff', papers[1], 6)),
    '--machine': both(machine, dark.machine),
    '--overprint': both(overprint, mix(DARK_PAPER, hand, 0.18)),
    '--overlap': both(overprint, mix(DARK_PAPER, mix(dark.hand, dark.machine, 0.5), 0.7)),
    '--on-hand': both(onHand(colours), DARK_PAPER),
    '--on-machine': both(paper, DARK_PAPER),
    '--on-overprint': both(paper, paper),
  };
}
