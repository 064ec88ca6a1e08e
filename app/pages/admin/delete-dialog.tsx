import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messages } from '../../copy/messages.ts';
import { messageOf } from '../../models/data/api-error.ts';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';

/**
 * Asks, then deletes a thing by its id. Open while there is one; after a failure it stays open and says why.
 * `onDeleted` is called also when the list that held the dialog went with the last of its rows.
 */
export function DeleteDialog<Thing extends { id: string }>({
  thing,
  title,
  failed,
  deletion,
  onClose,
  onDeleted,
  children,
}: {
  thing: Thing | null;
  title: string;
  /** What is said of a failure that gives no reason. */
  failed: string;
  deletion: UseMutationResult<unknown, Error, string>;
  onClose: () => void;
  onDeleted: (thing: Thing) => void;
  children: ReactNode;
}) {
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = (deleted: Thing) =>
    deletion.mutateAsync(deleted.id).then(
      () => {
        close();
        onDeleted(deleted);
      },
      () => {}, // Said by `deletion.error`.
    );
  return (
    <ConfirmDialog
      open={thing !== null}
      title={title}
      confirmLabel={messages.deleteConfirm}
      busyLabel={messages.deleting}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, failed)}
      onCancel={close}
      onConfirm={() => thing && void confirm(thing)}
    >
      {children}
    </ConfirmDialog>
  );
}
