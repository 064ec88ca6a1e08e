import { submissionWords as words } from '../../../copy/submission.ts';
import type { MediaItem } from '../../../models/submission.ts';
import { readableSize } from '../../../models/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** One chosen picture or video: what it is, how far it has come, and how to get rid of it. */
export function MediaTile({
  item,
  preview,
  progress,
  onCaption,
  onRetry,
  onRemove,
}: {
  item: MediaItem;
  /** Temporary or remote address of the picture. */
  preview: string;
  /** Sent fraction, 0 to 1. */
  progress: number;
  onCaption: (caption: string) => void;
  onRetry: () => void;
  onRemove: () => void;
}) {
  const name = item.file?.name ?? item.url;
  const failure = item.file?.failure ?? null;
  return (
    <li className="submit-tile">
      <div className="submit-tile-picture">
        {item.type === 'video' ? (
          <div className="submit-tile-video">
            <Icon name="play" />
            <span>{item.url}</span>
          </div>
        ) : (
          <img src={preview} alt="" referrerPolicy="no-referrer" />
        )}
        {item.isUploading && (
          <>
            <div className="submit-tile-overlay">{words.processing}</div>
            <progress className="submit-tile-progress" aria-label={`Upload of ${name}`} max={1} value={progress} />
          </>
        )}
        {failure && (
          <div className="submit-tile-overlay" role="status">
            <p>Not uploaded. {failure.message}</p>
            {!failure.final && (
              <Button size="admin" variant="secondary" onClick={onRetry} aria-label={`Try ${name} again`}>
                Try again
              </Button>
            )}
          </div>
        )}
        <button type="button" className="submit-tile-remove" aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      <p className="submit-tile-name">
        <span>{name}</span>
        {item.file && <span>{readableSize(item.file.size)}</span>}
      </p>
      <input
        className="field-input"
        type="text"
        aria-label={`Description of ${name}`}
        placeholder="Caption"
        maxLength={500}
        value={item.caption}
        onChange={(event) => onCaption(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </li>
  );
}
