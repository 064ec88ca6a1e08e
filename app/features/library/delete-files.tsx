import { useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { useDeleteFiles, useRestoreFiles } from './library-queries.ts';
import type { FilesDeleted, LibraryFile } from './model/library.ts';
import { Places } from './places.tsx';
import { library as words } from './words.ts';

type Used = FilesDeleted['used'];

export function DeleteFiles({
  files,
  onClose,
  onDeleted,
}: {
  files: readonly LibraryFile[] | null;
  onClose: () => void;
  onDeleted: (ids: readonly string[]) => void;
}) {
  const { say } = useStatus();
  const deletion = useDeleteFiles();
  const restoration = useRestoreFiles();
  const [refused, setRefused] = useState<Used>([]);
  const unused = files?.filter(({ uses }) => uses === 0) ?? [];
  const used = files?.filter(({ uses }) => uses > 0) ?? [];
  const onlyUsed = refused.length > 0 ? refused : files && unused.length === 0 ? used : [];

  function close() {
    deletion.reset();
    setRefused([]);
    onClose();
  }

  const remove = () =>
    deletion.mutateAsync(unused.map(({ id }) => id)).then(
      ({ deleted, used }) => {
        if (deleted.length > 0) {
          onDeleted(deleted);
          say(words.deleted(deleted.length), {
            undo: async () => {
              if ((await restoration.mutateAsync(deleted)) === 0) throw new Error(words.goneAlready);
            },
          });
        }
        if (used.length > 0) setRefused(used);
        else close();
      },
      () => {},
    );

  return (
    <>
      <ConfirmDialog
        open={unused.length > 0 && refused.length === 0}
        title={words.deleteTitle(unused.length)}
        confirmLabel={words.delete}
        busyLabel={messages.deleting}
        busy={deletion.isPending}
        error={deletion.error && messageOf(deletion.error, 'Nothing was deleted.')}
        onCancel={close}
        onConfirm={() => void remove()}
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
        {used.length > 0 && <UsedFiles hint="These are in use and stay:" used={used} />}
      </ConfirmDialog>
      <Dialog
        open={onlyUsed.length > 0}
        title={words.usedTitle(onlyUsed.length)}
        light
        closeLabel="Close"
        onCancel={close}
      >
        <UsedFiles
          hint="To delete a file, first replace it everywhere or remove it from these places:"
          used={onlyUsed}
        />
      </Dialog>
    </>
  );
}

const UsedFiles = ({ hint, used }: { hint: string; used: Used }) => (
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
