import type { ReactNode } from 'react';
import { FilmPlayer } from '#features/media/film-player.tsx';
import { filmOf } from '#features/media/model/film.ts';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf, posterOf } from '#features/media/model/picture.ts';
import { altOf, captionOf, titleOf } from '#features/media/model/titles.ts';
import { MovingPicture } from '#features/media/moving-picture.tsx';
import { Picture } from '#features/media/picture.tsx';
import { mediaWords } from '#lib/words/media.ts';
import { Icon } from '#ui/icon.tsx';
import { VIDEO_LINK_CLASS } from './story-html.ts';

type FigureProps = { media: Media; host: PictureHost; name: string; sizes: string };

export const MediaFigure = ({ caption = true, ...shown }: FigureProps & { caption?: boolean }) => (
  <figure className="media">
    <MediaShown {...shown} />
    {caption && <Caption media={shown.media} />}
  </figure>
);

function Caption({ media }: { media: Media & { credit?: string | null } }) {
  const words = [captionOf(media), media.credit && `Credit: ${media.credit}`].filter(Boolean).join('. ');
  if (!words && !media.made) return null;
  return (
    <figcaption className="quiet gap-above-small">
      {words} {media.made && <span className="slip">{mediaWords.madeLine(media.made)}</span>}
    </figcaption>
  );
}

function MediaShown({ media, host, name, sizes }: FigureProps) {
  const url = URL.parse(media.url, host.origin);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (media.type === 'image') {
    const picture = pictureOf(media, host);
    const alt = altOf(media, name);
    return (
      <MovingPicture picture={picture} name={alt}>
        <Enlarge href={picture.src}>
          <Picture picture={picture} alt={alt} sizes={sizes} />
        </Enlarge>
      </MovingPicture>
    );
  }
  const film = filmOf(media.url);
  const title = titleOf(media);
  const poster = posterOf(media, host);
  if (film) {
    return (
      <a
        className={`${VIDEO_LINK_CLASS} on-hand media-film ${poster ? 'middle media-postered' : ''}`}
        href={media.url}
        target="_blank"
        rel="noopener nofollow ugc"
        data-player={film.player}
        data-title={title || 'Video'}
      >
        {poster && <Picture picture={poster} alt="" sizes={sizes} />}
        <span className={poster ? 'pad-top-4' : undefined}>Play {title ? `“${title}”` : 'the video'}</span>
        <span className="slip">Loads from {film.host}</span>
      </a>
    );
  }
  if (/\.(mp4|webm|ogv|mov|m4v)$/i.test(url.pathname)) return <FilmPlayer media={media} host={host} />;
  return (
    <a className={`${VIDEO_LINK_CLASS} on-machine`} href={media.url} rel="noopener nofollow ugc" target="_blank">
      <Icon name="arrow-out" />
      <span>{media.type === 'demo' ? 'Try the demo' : 'Watch the video'}</span>
      <span className="slip">{url.hostname}</span>
    </a>
  );
}

export const Enlarge = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="enlarge block inherit" href={href} rel="noopener nofollow ugc">
    {children}
    <span className="hidden-text">, whole picture</span>
  </a>
);
