import type { ComponentProps, KeyboardEvent } from 'react';
import { AltField, CoverButton, MadeField, Of } from '#features/media/media-fields.tsx';
import { readableSize } from '#features/media/model/upload.ts';
import { PosterField } from '#features/media/poster-field.tsx';
import { uploadLimitWords } from '#features/media/words.ts';
import { LONGEST_CAPTION } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SortHandle, StepButtons } from '#ui/form/sort-controls.tsx';
import { Icon } from '#ui/icon.tsx';
import type { FormMedia } from '../form/form-media.ts';
import type { Located, MediaItem } from '../model/submission.ts';
import { submissionWords as words } from '../words/submission.ts';

export const altId = (id: string) => `alt-${id}`;
export const tileId = (id: string) => `media-${id}`;

export function MediaTile({
  item,
  name,
  previews,
  progress,
  isPaused,
  cover,
  place,
  of,
  look,
  handle,
  media,
  onStep,
  onRemove,
}: {
  item: MediaItem;
  name: string;
  previews: Record<string, string>;
  progress: Record<string, number>;
  isPaused: boolean;
  cover: boolean | null;
  place: number;
  of: number;
  look: object;
  handle: ComponentProps<'button'>;
  media: FormMedia | null;
  onStep: (by: 1 | -1, button: HTMLElement) => void;
  onRemove: () => void;
}) {
  const { id, poster } = item;
  const addressOf = (located: Located) => previews[located.id] ?? located.url;
  return (
    <li id={tileId(id)} className="submit-tile sort-row" {...look}>
      <div className="edged submit-tile-picture">
        {item.type === 'video' ? (
          <div className="submit-tile-video">
            <Icon name="play" />
            <span>{item.url}</span>
          </div>
        ) : (
          <img src={addressOf(item)} alt="" referrerPolicy="no-referrer" />
        )}
        <Travel
          located={item}
          name={name}
          fraction={progress[id] ?? 0}
          isPaused={isPaused}
          onRetry={() => media?.retry(id)}
        />
      </div>
      <div className="cluster apart submit-tile-head">
        <p className="submit-tile-name">
          <span>{name}</span>
          {item.file && <span>{readableSize(item.file.size)}</span>}
        </p>
        <div className="submit-tile-acts">
          {of > 1 && (
            <>
              <SortHandle name={name} handle={handle} />
              <StepButtons name={name} first={place === 0} last={place === of - 1} onStep={onStep} />
            </>
          )}
          <button type="button" className="sort-button" aria-label={`Remove ${name}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        </div>
      </div>
      <div className="submit-tile-words">
        <TextField
          label={<Of label={mediaWords.caption} of={name} />}
          hint={words.captionHint}
          limit={LONGEST_CAPTION}
          autoComplete="off"
          value={item.caption}
          onKeyDown={keepForm}
          onChange={({ target }) => media?.describe(id, { caption: target.value })}
        />
        {item.type === 'image' && (
          <AltField
            id={altId(id)}
            of={name}
            alt={item.alt}
            onKeyDown={keepForm}
            onChange={(alt) => media?.describe(id, { alt })}
          />
        )}
        <div className="submit-tile-more">
          <MadeField of={name} made={item.made} onChange={(made) => media?.describe(id, { made })} />
          {cover !== null && (
            <CoverButton
              of={name}
              pressed={cover}
              onPress={() => media?.chooseCover(cover && item.isCover ? null : id)}
            />
          )}
        </div>
        {item.type === 'video' && (
          <PosterField
            of={name}
            poster={poster && addressOf(poster)}
            onPick={(picture) => void media?.setPoster(id, picture)}
            onRemove={() => media?.removePoster(id)}
          >
            {poster && (
              <Travel
                located={poster}
                name={poster.file?.name ?? mediaWords.poster}
                fraction={progress[poster.id] ?? 0}
                isPaused={isPaused}
                onRetry={() => media?.retry(poster.id)}
              />
            )}
          </PosterField>
        )}
      </div>
    </li>
  );
}

const keepForm = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault();

function Travel({
  located: { isUploading, file },
  name,
  fraction,
  isPaused,
  onRetry,
}: {
  located: Located;
  name: string;
  fraction: number;
  isPaused: boolean;
  onRetry: () => void;
}) {
  const failure = file?.failure ?? null;
  return (
    <>
      {isUploading && (
        <>
          <div className="submit-tile-overlay">
            {isPaused && fraction === 0 ? uploadLimitWords.waits : words.processing}
          </div>
          <progress className="submit-tile-progress" aria-label={`Upload of ${name}`} max={1} value={fraction} />
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
    </>
  );
}
