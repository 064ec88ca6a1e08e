import { monogram, packs, tiles } from './draw-branding.ts';
import { eye, handprint, unrest } from './draw-machines.ts';
import { landscape, stillLife, totem } from './draw-other.ts';
import { bubbles, crowd, phones } from './draw-social.ts';
import { lines, steps, target } from './draw-strategy.ts';
import { aperture, filmStrip, spotlights } from './draw-video.ts';
import type { Dice } from './press.ts';

export interface Format {
  w: number;
  h: number;
}

/** What goes on which plate. */
export interface Layers {
  hand: string;
  machine: string;
  /** Highlighter, under the plates. */
  marker?: string;
  /** Pencil and knocked-out shapes, over them. */
  over?: string;
}

export type Composition = (dice: Dice, format: Format) => Layers;

const BY_CATEGORY: Record<string, Composition[]> = {
  branding: [tiles, monogram, packs],
  video: [filmStrip, aperture, spotlights],
  ai: [eye, unrest, handprint],
  social: [bubbles, crowd, phones],
  strategy: [steps, target, lines],
};
const OTHER: Composition[] = [landscape, stillLife, totem];

const ALL = [...Object.values(BY_CATEGORY).flat(), ...OTHER];

/** A way to draw a category, unknown ones counting as other. Now and then another's, as in a real portfolio. */
export function compositionFor(category: string, dice: Dice): Composition {
  const own = Object.hasOwn(BY_CATEGORY, category) ? BY_CATEGORY[category]! : OTHER;
  return dice.pick(dice.chance(0.75) ? own : ALL);
}
