import type { UploadMedia } from '#features/projects/model/upload.ts';
import { mediaWords } from '#lib/words/media.ts';
import { Icon, type IconName } from '#ui/icon.tsx';

export const UploadMediaRow = ({
  item: { type, url, title, alt },
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
}) => (
  <li>
    <div className="upload-media-words">
      <strong>{title}</strong>
      <span>
        {type} · {url}
      </span>
      {type === 'image' && <span>{mediaWords.says(alt)}</span>}
    </div>
    <div className="upload-media-buttons">
      <IconButton icon="arrow-up" label={`Move ${title} up`} disabled={place === 0} onPress={() => onMove(-1)} />
      <IconButton
        icon="arrow-down"
        label={`Move ${title} down`}
        disabled={place === of - 1}
        onPress={() => onMove(1)}
      />
      <IconButton icon="close" label={`Remove ${title}`} onPress={onRemove} />
    </div>
  </li>
);

const IconButton = ({
  icon,
  label,
  disabled = false,
  onPress,
}: {
  icon: IconName;
  label: string;
  disabled?: boolean;
  onPress: () => void;
}) => (
  // It stays focusable at the end of the list, so that keyboard focus is not lost.
  <button type="button" aria-label={label} aria-disabled={disabled || undefined} onClick={() => !disabled && onPress()}>
    <Icon name={icon} />
  </button>
);
