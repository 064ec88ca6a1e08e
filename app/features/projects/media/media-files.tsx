import { type ComponentProps, useEffect } from 'react';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { mediaWords as words } from '#lib/words/media.ts';
import { Button } from '#ui/form/button.tsx';
import { useUnfinishedFilms } from './unfinished-films.ts';
import { type PendingUpload, useUploads } from './use-uploads.ts';
import '../projects.css';

interface Chosen {
  media: Parameters<typeof useUploads>[0];
  attach: Parameters<typeof useUploads>[1];
  onBusy: (busy: boolean) => void;
}

export function PictureFiles({ media, attach, onBusy }: Chosen) {
  const uploads = useUploads(media, attach);
  useEffect(() => onBusy(uploads.busy), [uploads.busy, onBusy]);
  return (
    <div className="stack">
      <PictureInput onChoose={uploads.add} />
      <Uploads {...uploads} />
    </div>
  );
}

/** Films too, which belong to a project that exists: an upload that was interrupted continues there. */
export function MediaFiles({ project, media, attach, onBusy }: Chosen & { project: string }) {
  const unfinished = useUnfinishedFilms(project);
  const uploads = useUploads(media, async (stored) => {
    await attach(stored);
    unfinished.forget(stored.id);
  });
  useEffect(() => onBusy(uploads.busy), [uploads.busy, onBusy]);
  const waiting = unfinished.films.filter(({ id }) => uploads.going.every((item) => item.id !== id));
  return (
    <div className="stack">
      <PictureInput onChoose={uploads.add} />
      <FileField
        label={words.filmFile}
        hint={words.filmHint}
        accept="video/mp4,video/webm"
        onChoose={(files) => uploads.add(files, unfinished.targetOf, unfinished.idOf)}
      />
      {waiting.map(({ id, name }) => (
        <p className="cluster gap-3 panel edge pad-4" key={id}>
          <span className="basis-12 anywhere grow">{words.filmUnfinished(name)}</span>
          <Button
            size="admin"
            variant="quiet"
            aria-label={words.discardFilm(name)}
            onClick={() => unfinished.forget(id)}
          >
            {words.discard}
          </Button>
        </p>
      ))}
      <Uploads
        {...uploads}
        drop={(id) => {
          uploads.drop(id);
          unfinished.forget(id);
        }}
      />
    </div>
  );
}

const PictureInput = ({ onChoose }: Pick<ComponentProps<typeof FileField>, 'onChoose'>) => (
  <FileField label="Or picture files" hint="JPG, PNG, GIF up to 10MB" accept={PICTURES} multiple onChoose={onChoose} />
);

const Uploads = ({
  going,
  ahead,
  retry,
  drop,
}: Pick<ReturnType<typeof useUploads>, 'going' | 'ahead' | 'retry' | 'drop'>) => (
  <>
    <UploadLimit ahead={ahead} />
    <ul className="stack gap-3" aria-label="Uploads">
      {going.map((item) => (
        <UploadRow key={item.id} item={item} onRetry={() => retry(item)} onDrop={() => drop(item.id)} />
      ))}
    </ul>
  </>
);

const UploadRow = ({
  item: { file, fraction, failure },
  onRetry,
  onDrop,
}: {
  item: PendingUpload;
  onRetry: () => void;
  onDrop: () => void;
}) => (
  <li className="cluster gap-3 upload">
    <span className="basis-12 anywhere shrink">{file.name}</span>
    {failure ? (
      <span className="upload-failure semibold" role="alert">
        Not uploaded. {failure.message}
      </span>
    ) : (
      <progress aria-label={`Upload of ${file.name}`} max={1} value={fraction} />
    )}
    {failure && !failure.final && (
      <Button size="admin" variant="secondary" aria-label={`Try ${file.name} again`} onClick={onRetry}>
        Try again
      </Button>
    )}
    <Button size="admin" variant="quiet" aria-label={`${failure ? 'Remove' : 'Cancel'} ${file.name}`} onClick={onDrop}>
      {failure ? 'Remove' : 'Cancel'}
    </Button>
  </li>
);
