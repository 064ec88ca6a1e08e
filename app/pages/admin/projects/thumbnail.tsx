import { altOf } from '../../../models/media-words.ts';
import { pictureOf, renderedAddress } from '../../../models/picture.ts';
import type { ProjectMedia } from '../../../models/project-record.ts';
import { pictureHost } from '../../../session/picture-host.ts';
import { Icon } from '../../../ui/icon.tsx';
import './thumbnail.css';

// The smallest width that is made ahead.
const WIDTH = 320;

type ShownMedia = Pick<ProjectMedia, 'type' | 'url'> & Partial<Pick<ProjectMedia, 'title' | 'alt'>>;

/** A small square of one media item; a video or demo is drawn, because nothing foreign is loaded for a list. */
export const Thumbnail = ({
  media,
  beside = false,
}: {
  media: ShownMedia;
  /** Its title stands beside it, and is not to be heard twice. */
  beside?: boolean;
}) => (
  <span className="thumbnail">
    {media.type === 'image' ? (
      <img
        src={addressFor(media)}
        alt={beside ? '' : altOf({ title: null, ...media }, '')}
        loading="lazy"
        decoding="async"
      />
    ) : (
      <>
        <Icon name={media.type === 'video' ? 'play' : 'link'} />
        {!beside && <span className="hidden-text">{media.title || media.type}</span>}
      </>
    )}
  </span>
);

function addressFor(media: ShownMedia): string {
  const { object, src } = pictureOf(
    { title: null, width: null, height: null, placeholder: null, ...media },
    pictureHost(),
  );
  return object ? renderedAddress(object, WIDTH) : src;
}
