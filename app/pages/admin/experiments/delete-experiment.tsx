import { admin } from '../../../copy/admin/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { RestorableFor } from '../../experiments/restorable-for.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { useDeleteProject } from '../projects/project-queries.ts';

export function DeleteExperiment({
  experiment,
  onClose,
  onDeleted,
}: {
  experiment: { id: string; title: string } | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}) {
  return (
    <DeleteDialog
      thing={experiment}
      title={messages.deleteTitle}
      failed={messages.failedToDeleteExperiment}
      deletion={useDeleteProject()}
      onClose={onClose}
      onDeleted={({ id }) => onDeleted(id)}
    >
      {experiment && <p>“{experiment.title}” and its media will be gone for everybody.</p>}
      <p className={experiment ? 'gap-above-small' : undefined}>{admin.deleteWarning}</p>
      <RestorableFor open={experiment !== null} />
    </DeleteDialog>
  );
}
