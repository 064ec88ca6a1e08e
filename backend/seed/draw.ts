import sharp from 'sharp';
import { compositionFor, type Format, type Layers } from './compositions.ts';
import { Dice, rule } from './press.ts';

export interface PictureWish {
  /** The same seed always gives the same picture. */
  seed: string;
  title: string;
  category: string;
  /** `cover` is always 4:3; anything else may be portrait, square or wide. */
  kind?: string;
}

interface Theme {
  paper: string;
  hand: string;
  machine: string;
  ink: string;
  marker: string;
  blend: 'multiply' | 'screen';
  /** The plate that covers the whole sheet; its shapes are left out of it. */
  flooded?: 'hand' | 'machine';
}

const LIGHT: Theme = {
  paper: '#EDEFF0',
  hand: '#EE3A12',
  machine: '#2A44F5',
  ink: '#1B1220',
  marker: '#E4FF3A',
  blend: 'multiply',
};
const THEMES: Theme[] = [
  LIGHT,
  LIGHT,
  { ...LIGHT, paper: '#DFE3E5' },
  { ...LIGHT, flooded: 'hand' },
  { ...LIGHT, flooded: 'machine' },
  { paper: '#15111A', hand: '#FF6B43', machine: '#8D9CFF', ink: '#EDEFF0', marker: '#332A45', blend: 'screen' },
];
const COVER: Format = { w: 1600, h: 1200 };
const FORMATS: Format[] = [COVER, COVER, { w: 1200, h: 1500 }, { w: 1800, h: 1012 }, { w: 1300, h: 1300 }];

/** Draws a stand-in picture for an experiment, in our two inks: PNG, about 1600 × 1200, packed for speed. */
export async function drawPicture(wish: PictureWish): Promise<Buffer> {
  return sharp(Buffer.from(drawing(wish)))
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The picture as SVG. */
export function drawing({ seed, title, category, kind }: PictureWish): string {
  const dice = new Dice(`${seed} ${title}`);
  const format = kind === 'cover' ? COVER : dice.pick(FORMATS);
  const theme = dice.pick(THEMES);
  const compose = compositionFor(category, dice);
  return sheet(format, theme, compose(dice, format), dice);
}

function sheet({ w, h }: Format, theme: Theme, layers: Layers, dice: Dice): string {
  // The plates never meet exactly; that is how one knows it was printed.
  const shift = () => `translate(${dice.between(-5, 5).toFixed(1)} ${dice.between(-5, 5).toFixed(1)})`;
  const plate = (name: 'hand' | 'machine') => {
    const flooded = theme.flooded === name;
    const ground = flooded ? `<rect x="-20" y="-20" width="${w + 40}" height="${h + 40}" fill="${theme[name]}"/>` : '';
    const fill = flooded ? '#fff' : theme[name];
    return `<g style="mix-blend-mode:${theme.blend}" fill="${fill}" transform="${shift()}">${ground}${layers[name]}</g>`;
  };
  const coloured = (svg: string) =>
    svg
      .replaceAll('var-ink', theme.ink)
      .replaceAll('var-on-hand', theme.flooded === 'hand' ? theme.ink : theme.paper)
      .replaceAll('var-on-machine', theme.flooded === 'machine' ? theme.ink : theme.paper)
      .replaceAll('var-paper', theme.paper)
      .replaceAll('var-hand', theme.hand)
      .replaceAll('var-machine', theme.machine)
      .replaceAll('var-marker', theme.marker);
  return coloured(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">
<rect width="${w}" height="${h}" fill="${theme.paper}"/>
<g fill="var-marker">${layers.marker ?? ''}</g>
${plate('machine')}${plate('hand')}
<g fill="var-ink">${layers.over ?? ''}${furniture(w, h)}</g></svg>`,
  );
}

/** Crop marks at the corners. */
function furniture(w: number, h: number): string {
  const [gap, length] = [26, 44];
  return [
    [0, 0, 1, 1],
    [w, 0, -1, 1],
    [0, h, 1, -1],
    [w, h, -1, -1],
  ]
    .map(
      ([x, y, dx, dy]) =>
        rule(x! + gap * dx!, y! + (gap + length) * dy!, x! + gap * dx!, y! + gap * dy!, 3) +
        rule(x! + gap * dx!, y! + gap * dy!, x! + (gap + length) * dx!, y! + gap * dy!, 3),
    )
    .join('');
}
