import { inbox } from '../../../copy/inbox.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/api-error.ts';
import type { Letter } from '../../../models/inbox.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useDeleteLetter } from './message-queries.ts';

/** Asks, then deletes a message. Open while there is one; after a failure it stays open and says why. */
export function DeleteLetter({
  letter,
  onClose,
  onDeleted,
}: {
  letter: Letter | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const deletion = useDeleteLetter();
  const close = () => {
    deletion.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={letter !== null}
      title={inbox.deleteTitle}
      confirmLabel={messages.deleteConfirm}
      busyLabel={messages.deleting}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, inbox.failedToDelete)}
      onCancel={close}
      onConfirm={() =>
        letter &&
        deletion.mutate(letter.id, {
          onSuccess: () => {
            close();
            onDeleted();
          },
        })
      }
    >
      {letter && (
        <p className="mb-2">
          From <strong>{letter.name}</strong>
        </p>
      )}
      <p>{inbox.deleteQuestion}</p>
    </ConfirmDialog>
  );
}
