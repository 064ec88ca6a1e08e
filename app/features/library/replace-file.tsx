import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { PICTURES } from '#features/media/poster-field.tsx';
import { useUploads } from '#features/projects/media/use-uploads.ts';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { Field } from '#ui/form/field.tsx';
import { libraryChanged } from './library-queries.ts';
import { LibraryThumbnail } from './library-thumbnail.tsx';
import { addToLibrary, deleteFiles, type LibraryFile, pathOf, replaceFile } from './model/library.ts';
import { Places } from './places.tsx';
import { UploadProgress } from './upload-files.tsx';
import { library as words } from './words.ts';

export function ReplaceFile({ file, onClose }: { file: LibraryFile | null; onClose: () => void }) {
  const id = useId();
  return (
    <Dialog open={file !== null} className="library-dialog" aria-labelledby={id} onCancel={onClose}>
      {file && (
        <>
          <h2 className="size-1 anywhere" id={id}>
            {words.replaceTitle(file.title)}
          </h2>
          <Replacement file={file} onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

function Replacement({ file, onClose }: { file: LibraryFile; onClose: () => void }) {
  const cache = useQueryClient();
  const { say } = useStatus();
  const changed = () => Promise.all([libraryChanged(cache), projectsChanged(cache)]);
  const uploads = useUploads([], async ({ file: picture, url }) => {
    const data = clients().data();
    const by = await addToLibrary(data, pathOf(url), picture.name);
    try {
      const places = await replaceFile(data, file.id, by);
      const undo = async () => {
        await replaceFile(data, by, file.id);
        await deleteFiles(data, [by]);
        await changed();
      };
      say(words.replaced(places), { undo });
      onClose();
    } finally {
      await changed();
    }
  });
  return (
    <div className="stack gap-above">
      <div className="inline top">
        <LibraryThumbnail file={file} />
        <div className="grow anywhere">
          <p>{words.replaceIn(file.uses)}</p>
          <Places file={file} />
        </div>
      </div>
      <Field label={words.replaceBy} hint={words.replaceHint}>
        {(aria) => (
          <input
            {...aria}
            className="field-input"
            type="file"
            accept={PICTURES}
            disabled={uploads.busy}
            onChange={({ target }) => {
              const [picture] = target.files ?? [];
              target.value = '';
              if (!picture) return;
              for (const { id } of uploads.going) uploads.drop(id);
              uploads.add([picture]);
            }}
          />
        )}
      </Field>
      <UploadProgress uploads={uploads} />
      <div className="cluster end">
        <Button variant="secondary" size="admin" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}
