import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { FileInput } from '#features/media/file-field.tsx';
import { PICTURES, VIDEOS } from '#features/media/poster-field.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useMediaUploads } from '#features/media/use-uploads.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { libraryChanged } from './library-queries.ts';
import { addToLibrary } from './model/library.ts';
import { library as words } from './words.ts';

type LibraryUploads = ReturnType<typeof useMediaUploads>;

export function useLibraryUploads(): LibraryUploads {
  const cache = useQueryClient();
  const { say } = useStatus();
  return useMediaUploads('library', [], async ({ file, target }) => {
    await addToLibrary(clients().data(), target, file.name);
    await libraryChanged(cache);
    say(`${file.name} is in the library.`);
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
      <FileInput
        ref={input}
        hidden
        multiple
        accept={`${PICTURES},${VIDEOS}`}
        aria-label={words.upload}
        onChoose={onFiles}
      />
      <SmallButton variant="primary" onClick={() => input.current?.click()}>
        <Icon name="plus" /> {words.upload}
      </SmallButton>
    </>
  );
}

export const UploadProgress = ({ uploads }: { uploads: LibraryUploads }) =>
  uploads.going.length + uploads.interrupted.length > 0 && (
    <div className="stack gap-3 panel pad-4 below-4">
      <UploadList uploads={uploads} />
    </div>
  );
