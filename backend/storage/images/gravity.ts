export const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;

export interface Gravity {
  to: (typeof GRAVITIES)[number];
  /** Offset from there: below 1 a fraction of the scaled image's side, otherwise pixels. With `fp` the point itself. */
  x: number | undefined;
  y: number | undefined;
}

export function scaledGravity(gravity: Gravity, factor: number): Gravity {
  const scaled = (offset: number | undefined) =>
    offset === undefined || gravity.to === 'fp' || Math.abs(offset) < 1 ? offset : offset * factor;
  return { ...gravity, x: scaled(gravity.x), y: scaled(gravity.y) };
}
