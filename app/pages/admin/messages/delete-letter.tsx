import { inbox } from '../../../copy/admin/contact-messages.ts';
import type { ReceivedMessage } from '../../../models/office/contact-messages.ts';
import { DeleteDialog } from '../delete-dialog.tsx';
import { useDeleteLetter } from './message-queries.ts';

export function DeleteLetter({
  letter,
  onClose,
  onDeleted,
}: {
  letter: ReceivedMessage | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  return (
    <DeleteDialog
      thing={letter}
      title={inbox.deleteTitle}
      failed={inbox.failedToDelete}
      deletion={useDeleteLetter()}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      {letter && (
        <p>
          From <strong>{letter.name}</strong>
        </p>
      )}
      <p className={letter ? 'gap-above-small' : undefined}>{inbox.deleteQuestion}</p>
    </DeleteDialog>
  );
}
