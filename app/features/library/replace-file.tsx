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

export const ReplaceFile = ({ file, onClose }: { file: LibraryFile | null; onClose: () => void }) => (
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

const NEW_FILE = {
  image: {
    label: 'New picture',
    hint: 'Alt texts and captions stay as they are. The old picture stays in the library.',
    accept: PICTURES,
  },
  film: {
    label: 'New video',
    hint: 'Titles and posters stay as they are. The captions belong to the old video, which stays in the library.',
    accept: VIDEOS,
  },
};

const placesIn = (count: number) => (count === 1 ? 'one place' : `${count} places`);

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
      say(`Replaced in ${placesIn(places)}.`, { undo });
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
          <p>
            {file.uses === 0
              ? 'It is not used anywhere yet.'
              : `It is used in ${placesIn(file.uses)}. Trash and old versions keep the old file:`}
          </p>
          <Places file={file} />
        </div>
      </div>
      <FileField
        {...NEW_FILE[file.kind]}
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
