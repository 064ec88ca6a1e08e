import { admin } from '../../../copy/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/api-error.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useDeleteProject } from '../project-queries.ts';

/** Asks, then deletes an experiment. Open while there is one; after a failure it stays open and says why. */
export function DeleteExperiment({
  experiment,
  onClose,
  onDeleted,
}: {
  experiment: { id: string; title: string } | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}) {
  const deletion = useDeleteProject();
  const close = () => {
    deletion.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={experiment !== null}
      title={messages.deleteTitle}
      confirmLabel={messages.deleteConfirm}
      busyLabel={messages.deleting}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, messages.failedToDeleteExperiment)}
      onCancel={close}
      onConfirm={() =>
        experiment &&
        deletion.mutate(experiment.id, {
          onSuccess: () => {
            close();
            onDeleted(experiment.id);
          },
        })
      }
    >
      {experiment && <p className="mb-2">“{experiment.title}” and its media will be gone for everybody.</p>}
      <p>{admin.deleteWarning}</p>
    </ConfirmDialog>
  );
}
