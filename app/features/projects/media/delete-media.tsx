import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { IconButton } from '#ui/form/button.tsx';
import type { ProjectMedia } from '../model/read.ts';
import { useDeleteMedia } from '../project-queries.ts';

export const DeleteMediaButton = ({ media, onClick }: { media: ProjectMedia; onClick: () => void }) => (
  <IconButton
    icon="trash"
    danger
    className="rigid"
    label={`Delete media ${media.title || media.type}`}
    onClick={onClick}
  />
);

export function DeleteMedia({ media, onClose }: { media: ProjectMedia | null; onClose: () => void }) {
  const offerUndo = useUndoDelete();
  return (
    <DeleteDialog
      thing={media}
      title="Delete Media?"
      failed="Failed to delete media"
      deletion={useDeleteMedia()}
      onClose={onClose}
      onDeleted={({ id }) => offerUndo('Media item deleted.', [{ kind: 'media', id }])}
    >
      <p>Are you sure you want to delete this media item?</p>
    </DeleteDialog>
  );
}
