import type { ProjectMedia } from '../../../models/project-record.ts';
import { Icon } from '../../../ui/icon.tsx';

/** A small square of one media item; a video or demo is drawn, because nothing foreign is loaded for a list. */
export const Thumbnail = ({ media }: { media: ProjectMedia }) => (
  <span className="thumbnail">
    {media.type === 'image' ? (
      <img src={media.url} alt={media.title ?? ''} loading="lazy" decoding="async" />
    ) : (
      <>
        <Icon name={media.type === 'video' ? 'play' : 'link'} />
        <span className="hidden-text">{media.title || media.type}</span>
      </>
    )}
  </span>
);
