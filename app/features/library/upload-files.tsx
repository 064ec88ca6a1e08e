import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { PICTURES } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { useUploads } from '#features/projects/media/use-uploads.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { libraryChanged } from './library-queries.ts';
import { addToLibrary, pathOf } from './model/library.ts';
import { library as words } from './words.ts';

type LibraryUploads = ReturnType<typeof useUploads>;

export function useLibraryUploads(): LibraryUploads {
  const cache = useQueryClient();
  const { say } = useStatus();
  return useUploads([], async ({ file, url }) => {
    await addToLibrary(clients().data(), pathOf(url), file.name);
    await libraryChanged(cache);
    say(words.uploaded(file.name));
  });
}

export function UploadButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    // Otherwise the browser would leave the page and open the file.
    const accept = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault();
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      event.preventDefault();
      if (!(event.target as Element).closest('dialog')) latest.current(files);
    };
    document.addEventListener('dragover', accept);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', accept);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={PICTURES}
        aria-label={words.upload}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button size="admin" onClick={() => input.current?.click()}>
        <Icon name="plus" /> {words.upload}
      </Button>
    </>
  );
}

export const UploadProgress = ({ uploads: { going, ahead, retry, drop } }: { uploads: LibraryUploads }) => (
  <>
    <UploadLimit ahead={ahead} />
    {going.length > 0 && (
      <ul className="stack gap-3 panel pad-4 below-4" aria-label={words.uploads}>
        {going.map((item) => (
          <UploadItem key={item.id} item={item} onRetry={() => retry(item)} onRemove={() => drop(item.id)} />
        ))}
      </ul>
    )}
  </>
);

const UploadItem = ({
  item: { file, fraction, failure },
  onRetry,
  onRemove,
}: {
  item: LibraryUploads['going'][number];
  onRetry: () => void;
  onRemove: () => void;
}) => (
  <li className="cluster gap-3 upload">
    <span className="basis-12 anywhere shrink">{file.name}</span>
    {failure ? (
      <span className="upload-failure semibold" role="alert">
        {words.notUploaded} {failure.message}
      </span>
    ) : (
      <progress aria-label={words.uploadOf(file.name)} max={1} value={fraction} />
    )}
    {failure && !failure.final && (
      <Button size="admin" variant="secondary" aria-label={words.againNamed(file.name)} onClick={onRetry}>
        {words.again}
      </Button>
    )}
    <Button
      size="admin"
      variant="quiet"
      aria-label={failure ? words.removeNamed(file.name) : words.cancelNamed(file.name)}
      onClick={onRemove}
    >
      {failure ? words.remove : words.cancel}
    </Button>
  </li>
);
