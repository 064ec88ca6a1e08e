import { admin } from '../../../../copy/admin.ts';
import { messages } from '../../../../copy/messages.ts';
import { editing as words } from '../../../../copy/project-editing.ts';
import { messageOf } from '../../../../models/api-error.ts';
import type { ProjectMedia } from '../../../../models/project-record.ts';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { useDeleteMedia } from '../../project-queries.ts';
import { useUndoDelete } from '../../trash/use-undo-delete.ts';

/** Asks, then deletes a media item and offers to undo it. Open while there is one. */
export function DeleteMedia({ media, onClose }: { media: ProjectMedia | null; onClose: () => void }) {
  const deletion = useDeleteMedia();
  const offerUndo = useUndoDelete();
  const close = () => {
    deletion.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={media !== null}
      title="Delete Media?"
      confirmLabel={messages.deleteConfirm}
      busyLabel={messages.deleting}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, admin.failedToDeleteMedia)}
      onCancel={close}
      onConfirm={() =>
        media &&
        deletion.mutate(media.id, {
          onSuccess: () => {
            close();
            offerUndo(words.mediaDeleted, [{ kind: 'media', id: media.id }]);
          },
        })
      }
    >
      <p>{admin.deleteMediaQuestion}</p>
    </ConfirmDialog>
  );
}
