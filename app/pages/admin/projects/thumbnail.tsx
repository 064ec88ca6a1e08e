import { pictureHost } from '../../../context/picture-host.ts';
import { type PictureSources, pictureOf, posterOf, renderedAddress } from '../../../models/media/picture.ts';
import { altOf } from '../../../models/media/titles.ts';
import type { ProjectMedia } from '../../../models/project/read.ts';
import { Icon } from '../../../ui/icon.tsx';
import './thumbnail.css';

// The smallest width that is made ahead.
const WIDTH = 320;

type ShownMedia = Pick<ProjectMedia, 'type' | 'url'> & Partial<Pick<ProjectMedia, 'title' | 'alt' | 'poster'>>;

/** A small square of one media item; a video without a poster, or a demo, is drawn: nothing foreign plays in a list. */
export const Thumbnail = ({
  media: { type, url, title = null, alt, poster = null },
  beside = false,
}: {
  media: ShownMedia;
  /** Its title stands beside it, and is not to be heard twice. */
  beside?: boolean;
}) => (
  <span className="thumbnail">
    {type === 'image' ? (
      <Small
        picture={pictureOf({ url, width: null, height: null, placeholder: null }, pictureHost())}
        alt={beside ? '' : altOf({ title, ...(alt !== undefined && { alt }) }, '')}
      />
    ) : (
      <>
        {poster && <Small picture={posterOf({ poster }, pictureHost())!} alt="" />}
        <Icon name={type === 'video' ? 'play' : 'link'} />
        {!beside && <span className="hidden-text">{title || type}</span>}
      </>
    )}
  </span>
);

const Small = ({ picture: { object, src }, alt }: { picture: PictureSources; alt: string }) => (
  <img src={object ? renderedAddress(object, WIDTH) : src} alt={alt} loading="lazy" decoding="async" />
);
