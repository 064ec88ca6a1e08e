import { type PictureSources as PictureData, renderedAddress } from './model/picture.ts';

type PictureProps = { picture: PictureData; alt: string; sizes: string; widths?: number[]; eager?: boolean };

/** Responsive picture in AVIF or WebP where the backend renders; otherwise plain. Its space is reserved. */
export function Picture({ picture, alt, sizes, widths = [320, 640, 960, 1280], eager = false }: PictureProps) {
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
