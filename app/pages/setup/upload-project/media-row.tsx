import { mediaWords } from '../../../copy/media.ts';
import type { UploadMedia } from '../../../models/project/upload.ts';
import { StepButtons } from '../../../ui/form/sort-controls.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** One media item on the list: what it is, and buttons to move and remove it. */
export const UploadMediaRow = ({
  item,
  place,
  of,
  onMove,
  onRemove,
}: {
  item: UploadMedia;
  place: number;
  of: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) => {
  const { type, url, title, alt } = item;
  return (
    <li>
      <div className="upload-media-words">
        <strong>{title}</strong>
        <span>
          {type} · {url}
        </span>
        {type === 'image' && <span>{mediaWords.says(alt)}</span>}
      </div>
      <div className="upload-media-buttons">
        <StepButtons id={item.key} name={title} first={place === 0} last={place === of - 1} onStep={onMove} />
        <button type="button" className="sort-button" aria-label={`Remove ${title}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
    </li>
  );
};
