import { type KeyboardEvent, useLayoutEffect, useState } from 'react';
import { AltField, CoverButton, HiddenName, MadeField } from '#features/media/media-fields.tsx';
import { readableSize } from '#features/media/model/upload.ts';
import { PosterField } from '#features/media/poster-field.tsx';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SortHandle, StepButtons } from '#ui/form/sort-controls.tsx';
import type { useSorting } from '#ui/form/use-sorting.ts';
import { Icon } from '#ui/icon.tsx';
import type { MediaDescription, MediaItem, MediaSource } from './model/submission.ts';
import { altId } from './use-form-focus.ts';
import type { SubmissionProps } from './use-submission.ts';

interface MediaTileProps extends SubmissionProps {
  item: MediaItem;
  isCover: boolean | null;
  sorting: ReturnType<typeof useSorting>;
  onRemove: () => void;
}

export function MediaTile({ item, state, actions, isCover, sorting, onRemove }: MediaTileProps) {
  const { id, alt, poster } = item;
  const name = sorting.nameOf(id);
  const picture = useAddress(item, state.files);
  const posterName = poster?.file?.name ?? mediaWords.poster;
  const posterPicture = useAddress(poster, state.files);
  const describe = (part: MediaDescription) => actions?.dispatch({ type: 'mediaDescribed', id, part });
  const chooseCover = () => actions?.dispatch({ type: 'coverChosen', id: isCover && item.isCover ? null : id });
  return (
    <li className="submit-tile stack hairline-below pad-y-4 sort-row relative paper" {...sorting.look(id)}>
      <div className="edged submit-tile-picture clip panel relative">
        {item.type === 'image' ? (
          <img src={picture || undefined} alt="" referrerPolicy="no-referrer" />
        ) : (
          <div className="submit-tile-video on-machine pad-4 center mono anywhere">
            <Icon name={item.type === 'video' ? 'play' : 'link'} />
            <span>{item.url}</span>
          </div>
        )}
        <UploadState located={item} name={name} state={state} />
      </div>
      <div className="stack gap-2">
        <div className="cluster apart">
          <p className="submit-tile-name quiet cluster gap-1 gap-x-4 grow mono anywhere">
            <span>{name}</span>
            {item.file && <span>{readableSize(item.file.size)}</span>}
          </p>
          <div className="inline gap-0">
            {sorting.shown.length > 1 && (
              <>
                <SortHandle name={name} handle={sorting.handle(id)} />
                <StepButtons {...sorting.steps(id)} />
              </>
            )}
            <IconButton icon="close" className="sort-button" label={`Remove ${name}`} onClick={onRemove} />
          </div>
        </div>
        <UploadFailure located={item} name={name} actions={actions} />
      </div>
      <div className="submit-tile-words shrink grid top">
        <TextField
          label={<HiddenName label={mediaWords.caption} of={name} />}
          hint="Shown under the picture."
          limit={MAX_CAPTION_LENGTH}
          autoComplete="off"
          value={item.caption}
          onKeyDown={keepForm}
          onChange={({ target }) => describe({ caption: target.value })}
        />
        {item.type === 'image' && (
          <AltField id={altId(id)} of={name} alt={alt} onKeyDown={keepForm} onChange={(alt) => describe({ alt })} />
        )}
        <div className="cluster bottom">
          <MadeField of={name} made={item.made} onChange={(made) => describe({ made })} />
          {isCover !== null && <CoverButton of={name} pressed={isCover} onPress={chooseCover} />}
        </div>
        {item.type === 'video' && (
          <PosterField
            of={name}
            poster={posterPicture}
            onPick={(picture) => actions?.setPoster(id, picture)}
            onRemove={() => describe({ poster: null })}
          >
            {poster && (
              <>
                <UploadState located={poster} name={posterName} state={state} />
                <UploadFailure located={poster} name={posterName} actions={actions} />
              </>
            )}
          </PosterField>
        )}
      </div>
    </li>
  );
}

/** Address of the file, local before its upload. */
function useAddress(located: MediaSource | null, files: ReadonlyMap<string, File>): string | null {
  const file = located && files.get(located.id);
  const [preview, setPreview] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (!file) return;
    const address = URL.createObjectURL(file);
    setPreview(address);
    return () => {
      setPreview(null);
      URL.revokeObjectURL(address);
    };
  }, [file]);
  return preview ?? located?.url ?? null;
}

const keepForm = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault();

type Located = { located: MediaSource; name: string };

function UploadState({ located: { id, isUploading }, name, state }: Located & Pick<SubmissionProps, 'state'>) {
  if (!isUploading) return null;
  const fraction = state.progress[id] ?? 0;
  return (
    <>
      <div className="submit-tile-overlay absolute bold center">
        {state.ahead?.isPaused && fraction === 0 ? 'Waiting for the upload limit' : 'Processing...'}
      </div>
      <progress
        className="submit-tile-progress absolute progress paper full"
        aria-label={`Upload of ${name}`}
        max={1}
        value={fraction}
      />
    </>
  );
}

const UploadFailure = ({ located: { id, file }, name, actions }: Located & Pick<SubmissionProps, 'actions'>) =>
  file?.failure && (
    <div className="cluster gap-3" role="status">
      <p className="field-error">Not uploaded. {file.failure.message}</p>
      {!file.failure.final && (
        <SmallButton aria-label={`Try ${name} again`} onClick={() => actions?.dispatch({ type: 'uploadRetried', id })}>
          Try again
        </SmallButton>
      )}
    </div>
  );
