/** Compass points, the middle, what draws the eye (`sm`), and a point of the picture (`fp`). */
export const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;

/** Which part of a picture stays when it is cut to another shape. */
export interface Gravity {
  to: (typeof GRAVITIES)[number];
  /** From there: below 1 a part of the scaled picture's side, otherwise pixels. With `fp` the point itself. */
  x: number | undefined;
  y: number | undefined;
}

/** Pixels grow with the picture, parts of it do so by themselves. */
export function scaledGravity(gravity: Gravity, factor: number): Gravity {
  const scaled = (offset: number | undefined) =>
    offset === undefined || gravity.to === 'fp' || Math.abs(offset) < 1 ? offset : offset * factor;
  return { ...gravity, x: scaled(gravity.x), y: scaled(gravity.y) };
}
