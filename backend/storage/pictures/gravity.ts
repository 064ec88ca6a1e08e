import sharp, { type Sharp } from 'sharp';

/** Compass points, the middle, what draws the eye (`sm`), and a point of the picture (`fp`). */
export const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;

/** Which part of a picture stays when it is cut to another shape. */
export interface Gravity {
  to: (typeof GRAVITIES)[number];
  /** From there: below 1 a part of the scaled picture's side, otherwise pixels. With `fp` the point itself. */
  x: number | undefined;
  y: number | undefined;
}

interface Size {
  width: number;
  height: number;
}

/** Pixels grow with the picture, parts of it do so by themselves. */
export function scaledGravity(gravity: Gravity, factor: number): Gravity {
  const scaled = (offset: number | undefined) =>
    offset === undefined || gravity.to === 'fp' || Math.abs(offset) < 1 ? offset : offset * factor;
  return { ...gravity, x: scaled(gravity.x), y: scaled(gravity.y) };
}

/** The picture scaled until it covers the frame, never beyond its own size, and cut where gravity says. */
export async function cutAt(picture: Sharp, frame: Size, gravity: Gravity): Promise<Sharp> {
  if (gravity.to === 'sm')
    return picture.resize(frame.width, frame.height, {
      fit: 'cover',
      position: sharp.strategy.attention,
      withoutEnlargement: true,
    });
  const { autoOrient, pageHeight } = await picture.metadata();
  const { width, height } = { ...autoOrient, ...(pageHeight && { height: pageHeight }) };
  const scale = Math.min(1, Math.max(frame.width / width, frame.height / height));
  const scaled = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const cut = { width: Math.min(frame.width, scaled.width), height: Math.min(frame.height, scaled.height) };
  return picture.resize(scaled.width, scaled.height, { fit: 'fill' }).extract({
    ...cut,
    left: start(gravity, 'x', scaled.width, cut.width),
    top: start(gravity, 'y', scaled.height, cut.height),
  });
}

/** Where the cut begins on one axis. */
function start({ to, ...at }: Gravity, axis: 'x' | 'y', whole: number, kept: number): number {
  const given = at[axis] ?? 0;
  const room = whole - kept;
  const offset = Math.abs(given) < 1 ? given * whole : given;
  const [low, high] = axis === 'x' ? ['we', 'ea'] : ['no', 'so'];
  const begin =
    to === 'fp'
      ? given * whole - kept / 2
      : to.includes(low!)
        ? offset
        : to.includes(high!)
          ? room - offset
          : room / 2 + offset;
  return Math.round(Math.min(room, Math.max(0, begin)));
}
