import { admin } from '../../../../copy/admin/admin.ts';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import type { ProjectMedia } from '../../../../models/project/read.ts';
import { DeleteDialog } from '../../delete-dialog.tsx';
import { useUndoDelete } from '../../trash/use-undo-delete.ts';
import { useDeleteMedia } from '../project-queries.ts';

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
