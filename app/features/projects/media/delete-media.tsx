import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { admin } from '#lib/words/admin.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { ProjectMedia } from '../model/read.ts';
import { useDeleteMedia } from '../project-queries.ts';
import { editing as words } from '../words.ts';

export const DeleteMediaButton = ({ media, onClick }: { media: ProjectMedia; onClick: () => void }) => (
  <SmallButton
    variant="quiet"
    className="icon-button icon-button-danger rigid"
    aria-label={`Delete media ${media.title || media.type}`}
    onClick={onClick}
  >
    <Icon name="trash" />
  </SmallButton>
);

export function DeleteMedia({ media, onClose }: { media: ProjectMedia | null; onClose: () => void }) {
  const offerUndo = useUndoDelete();
  return (
    <DeleteDialog
      thing={media}
      title="Delete Media?"
      failed={admin.failedToDeleteMedia}
      deletion={useDeleteMedia()}
      onClose={onClose}
      onDeleted={({ id }) => offerUndo(words.mediaDeleted, [{ kind: 'media', id }])}
    >
      <p>{admin.deleteMediaQuestion}</p>
    </DeleteDialog>
  );
}
