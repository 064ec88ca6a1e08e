import { useEffect, useId } from 'react';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { Button } from '#ui/form/button.tsx';
import { type PendingUpload, useUploads } from './use-uploads.ts';
import '../projects.css';

export function PictureFiles({
  media,
  attach,
  onBusy,
}: {
  media: Parameters<typeof useUploads>[0];
  attach: Parameters<typeof useUploads>[1];
  onBusy: (busy: boolean) => void;
}) {
  const { going, busy, ahead, add, retry, drop } = useUploads(media, attach);
  const id = useId();
  useEffect(() => onBusy(busy), [busy, onBusy]);
  return (
    <div className="stack">
      <div className="field">
        <label className="bold" htmlFor={id}>
          Or picture files
        </label>
        <input
          className="field-input"
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          multiple
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > 0) add(files);
          }}
        />
        <span className="field-hint">JPG, PNG, GIF up to 10MB</span>
      </div>
      <UploadLimit ahead={ahead} />
      <ul className="stack gap-3" aria-label="Uploads">
        {going.map((item) => (
          <UploadRow key={item.id} item={item} onRetry={() => retry(item)} onDrop={() => drop(item.id)} />
        ))}
      </ul>
    </div>
  );
}

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
