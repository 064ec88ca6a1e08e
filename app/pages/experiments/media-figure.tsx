import { playerAddress } from '../../../media-address.ts';
import { type PictureHost, pictureOf } from '../../models/picture.ts';
import type { Media } from '../../models/project.ts';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';

const VIDEO_FILE = /\.(mp4|webm|ogv|mov|m4v)$/i;

/** Everything that belongs to the experiment, in its order. */
export const Gallery = ({ media, host }: { media: (Media & { id: string })[]; host: PictureHost }) => (
  <section className="gallery" aria-labelledby="gallery">
    <h2 id="gallery">Project Gallery</h2>
    <ul className="gallery-items">
      {media.map((item) => (
        <li key={item.id}>
          <MediaFigure media={item} host={host} />
        </li>
      ))}
    </ul>
  </section>
);

/** An image as a picture, a film as a player that loads only when asked, a demo as a way to it. */
export const MediaFigure = ({ media, host }: { media: Media; host: PictureHost }) => (
  <figure className="media">
    <Shown media={media} host={host} />
    {(media.title || media.description) && (
      <figcaption>{[media.title, media.description].filter(Boolean).join('. ')}</figcaption>
    )}
  </figure>
);

function Shown({ media, host }: { media: Media; host: PictureHost }) {
  const url = URL.parse(media.url, host.origin);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (media.type === 'image') {
    // The caption says it already; nobody should have to hear it twice.
    return <Picture picture={pictureOf(media, host)} alt="" sizes="(min-width:1024px) 46vw, 92vw" />;
  }
  const player = playerAddress(media.url);
  if (player) return <Film media={media} player={player} />;
  if (VIDEO_FILE.test(url.pathname)) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: films come from people's own links; nobody gives us captions
      <video src={pictureOf(media, host).src} controls preload="none" />
    );
  }
  return (
    <a className="media-door" href={media.url} rel="noopener nofollow ugc" target="_blank">
      <Icon name="arrow-out" />
      <span>{media.type === 'demo' ? 'Try the demo' : 'Watch the film'}</span>
      <span className="slip">{url.hostname}</span>
    </a>
  );
}

/** Looks like a film; nothing is asked of the film's host before somebody presses. Without script it is a link. */
const Film = ({ media, player }: { media: Media; player: string }) => (
  <a
    className="media-door media-film"
    href={media.url}
    rel="noopener nofollow ugc"
    data-player={player}
    data-title={media.title ?? 'Film'}
  >
    <Icon name="play" />
    <span>Play {media.title ? `“${media.title}”` : 'the film'}</span>
    <span className="slip">Loads from {new URL(player).hostname.replace('www.', '')}</span>
  </a>
);
