import { useState } from 'react';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { useDeleteFiles, useRestoreFiles } from './library-queries.ts';
import type { FilesDeleted, LibraryFile } from './model/library.ts';
import { Places } from './places.tsx';
import { library as words } from './words.ts';

type Used = FilesDeleted['used'];

interface DeleteFilesProps {
  files: readonly LibraryFile[] | null;
  onClose: () => void;
  onDeleted: (ids: string[]) => void;
}

export function DeleteFiles({ files, onClose, onDeleted }: DeleteFilesProps) {
  const { say } = useStatus();
  const { mutateAsync: restore } = useRestoreFiles();
  const [refused, setRefused] = useState<Used>([]);
  const { unused = [], used = [] } = Object.groupBy(files ?? [], ({ uses }) => (uses === 0 ? 'unused' : 'used'));
  const onlyUsed = unused.length > 0 ? [] : [...refused, ...used];

  return (
    <>
      <DeleteDialog
        thing={unused.length > 0 ? { id: unused.map(({ id }) => id) } : null}
        title={`Delete ${words.count(unused.length)}?`}
        confirmLabel={words.delete}
        failed="Nothing was deleted."
        deletion={useDeleteFiles()}
        onClose={onClose}
        onDeleted={(_, { deleted, used }) => {
          setRefused(used);
          if (deleted.length === 0) return;
          onDeleted(deleted);
          say(`${words.count(deleted.length)} deleted.`, { undo: () => restore(deleted) });
        }}
      >
        <ul>
          {unused.map(({ id, title }) => (
            <li className="anywhere" key={id}>
              <strong>{title}</strong>
            </li>
          ))}
        </ul>
        <p className="gap-above-small">
          {unused.length === 1 ? 'It is not used anywhere.' : 'They are not used anywhere.'} The filter “Deleted” lists
          deleted files and restores them until they go for good.
        </p>
        {used.length > 0 && <UsedFiles hint="These are in use and stay:" of={used} />}
      </DeleteDialog>
      <Dialog
        open={onlyUsed.length > 0}
        title={onlyUsed.length === 1 ? 'This file is in use' : `${words.count(onlyUsed.length)} are in use`}
        closedby="any"
        closeLabel="Close"
        onCancel={() => {
          setRefused([]);
          onClose();
        }}
      >
        <UsedFiles hint="To delete a file, first replace it everywhere or remove it from these places:" of={onlyUsed} />
      </Dialog>
    </>
  );
}

const UsedFiles = ({ hint, of: used }: { hint: string; of: Used }) => (
  <>
    <p className="gap-above">{hint}</p>
    <ul className="stack gap-2 gap-above-small">
      {used.map((file) => (
        <li className="anywhere" key={file.id}>
          <strong>{file.title}</strong>
          <Places file={file} />
        </li>
      ))}
    </ul>
  </>
);
