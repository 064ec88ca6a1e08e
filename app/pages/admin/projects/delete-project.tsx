import { admin } from '../../../copy/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/api-error.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useDeleteProject } from '../project-queries.ts';
import { useUndoDelete } from '../trash/use-undo-delete.ts';

/** Asks, then deletes a project and offers to undo it. Open while there is one. */
export function DeleteProject({
  project,
  onClose,
  onDeleted,
}: {
  project: { id: string; title: string } | null;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const deletion = useDeleteProject();
  const offerUndo = useUndoDelete();
  const close = () => {
    deletion.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={project !== null}
      title="Delete Project?"
      confirmLabel={messages.deleteConfirm}
      busyLabel={messages.deleting}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, admin.failedToDeleteProject)}
      onCancel={close}
      onConfirm={() =>
        project &&
        deletion.mutate(project.id, {
          onSuccess: () => {
            close();
            onDeleted?.();
            offerUndo(admin.projectDeleted(project.title), [{ kind: 'project', id: project.id }]);
          },
        })
      }
    >
      <p>{admin.deleteProjectQuestion}</p>
      {project && (
        <p className="mt-2">
          <strong>{project.title}</strong>
        </p>
      )}
    </ConfirmDialog>
  );
}
