import type { ReactNode } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import type { ProjectMedia } from '#features/projects/model/read.ts';
import { Icon } from '#ui/icon.tsx';
import { type PictureSources, pictureOf, posterOf, renderedAddress } from './model/picture.ts';
import { altOf } from './model/titles.ts';
import './thumbnail.css';

type ShownMedia = Pick<ProjectMedia, 'type' | 'url'> & Partial<Pick<ProjectMedia, 'title' | 'alt' | 'poster'>>;

/** Shows an icon for a demo or a video without a poster, so that a list requests nothing from third parties. */
export function Thumbnail({ media, beside = false }: { media: ShownMedia; beside?: boolean }) {
  const { type, url, title = null, alt, poster = null } = media;
  return (
    <span className="thumbnail clip rigid center panel">
      {type === 'image' ? (
        <SmallPicture
          picture={pictureOf({ url, width: null, height: null, placeholder: null }, pictureHost())}
          alt={beside ? '' : altOf({ title, ...(alt !== undefined && { alt }) }, '')}
        />
      ) : (
        <>
          {poster && <SmallPicture picture={posterOf({ poster }, pictureHost())!} alt="" />}
          <Icon name={type === 'video' ? 'play' : 'link'} />
          {!beside && <span className="hidden-text">{title || type}</span>}
        </>
      )}
    </span>
  );
}

export const Pictured = ({ media, children }: { media: ShownMedia | null | undefined; children: ReactNode }) => (
  <span className="inline">
    {media ? <Thumbnail beside media={media} /> : <span className="thumbnail clip rigid center panel" />}
    <span className="shrink">{children}</span>
  </span>
);

const SmallPicture = ({ picture: { object, src }, alt }: { picture: PictureSources; alt: string }) => (
  <img src={object ? renderedAddress(object, 320) : src} alt={alt} loading="lazy" decoding="async" />
);
