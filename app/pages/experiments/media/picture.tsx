import { type PictureSources as PictureData, renderedAddress } from '../../../models/media/picture.ts';

const WIDTHS = [320, 640, 960, 1280];

/**
 * A picture in the widths our backend renders, each as AVIF or WebP where the browser takes them; a plain one when it
 * does not. Its shape is reserved before it has arrived.
 */
export function Picture({
  picture,
  alt,
  sizes,
  widths = WIDTHS,
  eager = false,
}: {
  picture: PictureData;
  alt: string;
  sizes: string;
  widths?: number[];
  /** For the one picture that is seen first. */
  eager?: boolean;
}) {
  const { src, object, width, height, placeholder } = picture;
  const image = {
    width: width ?? undefined,
    height: height ?? undefined,
    loading: eager ? undefined : ('lazy' as const),
    fetchPriority: eager ? ('high' as const) : undefined,
    style: placeholder ? { backgroundImage: `url(${placeholder})`, backgroundSize: 'cover' } : undefined,
  };
  if (!object) return <img {...image} src={src} alt={alt} />;
  const candidates = widths.map((each) => `${renderedAddress(object, each)} ${each}w`).join(',');
  return <img {...image} srcSet={candidates} sizes={sizes} src={renderedAddress(object, 640)} alt={alt} />;
}
