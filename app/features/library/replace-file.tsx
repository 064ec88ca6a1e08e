import { useQueryClient } from '@tanstack/react-query';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES, VIDEOS } from '#features/media/poster-field.tsx';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useMediaUploads } from '#features/media/use-uploads.ts';
import { clients } from '#session/browser.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { mediaChanged } from './library-queries.ts';
import { addToLibrary, deleteFiles, type LibraryFile, replaceFile } from './model/library.ts';
import { Places } from './places.tsx';
import { library as words } from './words.ts';

export function ReplaceFile({ file, onClose }: { file: LibraryFile | null; onClose: () => void }) {
  return (
    <Dialog
      open={file !== null}
      title={`Replace “${file?.title}” everywhere`}
      className="library-dialog"
      closeLabel={words.cancel}
      onCancel={onClose}
    >
      {file && <Replacement file={file} onClose={onClose} />}
    </Dialog>
  );
}

function Replacement({ file, onClose }: { file: LibraryFile; onClose: () => void }) {
  const cache = useQueryClient();
  const { say } = useStatus();
  const uploads = useMediaUploads(file.id, async ({ file: chosen, target }) => {
    const data = clients().data();
    const by = await addToLibrary(data, target, chosen.name);
    try {
      const places = await replaceFile(data, file.id, by);
      const undo = async () => {
        await replaceFile(data, by, file.id);
        await deleteFiles(data, [by]);
        await mediaChanged(cache);
      };
      say(words.replaced(places), { undo });
      onClose();
    } finally {
      await mediaChanged(cache);
    }
  });
  return (
    <div className="stack gap-above">
      <div className="inline top">
        <Thumbnail beside media={file} />
        <div className="grow anywhere">
          <p>{words.replaceIn(file.uses)}</p>
          <Places file={file} />
        </div>
      </div>
      <FileField
        label={words.replaceBy[file.kind]}
        hint={words.replaceHint[file.kind]}
        accept={file.kind === 'film' ? VIDEOS : PICTURES}
        disabled={uploads.busy}
        onChoose={(files) => {
          for (const { id } of uploads.going) uploads.drop(id);
          uploads.add(files, file.kind === 'film' ? 'film' : 'picture');
        }}
      />
      <UploadList uploads={uploads} />
    </div>
  );
}
