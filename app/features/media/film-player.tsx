import type { ComponentProps } from 'react';
import type { PagePath } from '#lib/words/page-path.ts';
import type { Media } from './model/media.ts';
import { captionsAddress, type PictureHost, pictureOf, posterOf, renderedAddress } from './model/picture.ts';
import { titleOf } from './model/titles.ts';

/** The browser's own player, which needs no script and loads nothing but the poster until it is played. */
export function FilmPlayer({ media, host, ...video }: { media: Media; host: PictureHost } & ComponentProps<'video'>) {
  const { src, width, height } = pictureOf(media, host);
  const poster = posterOf(media, host);
  const posterAddress = poster?.object ? renderedAddress(poster.object, 1280) : poster?.src;
  return (
    <video
      controls
      playsInline
      preload="none"
      aria-label={titleOf(media) || 'Video'}
      src={src}
      width={width ?? undefined}
      height={height ?? undefined}
      poster={posterAddress ?? ('/film-plate.svg' satisfies PagePath)}
      // A hosted project's files have another origin, from which captions are only shown with its permission.
      crossOrigin={media.captions && !src.startsWith('/') ? 'anonymous' : undefined}
      {...video}
    >
      {media.captions && <track kind="captions" src={captionsAddress(src)} srcLang="en" label="English" />}
    </video>
  );
}
