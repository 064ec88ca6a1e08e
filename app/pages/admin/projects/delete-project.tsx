import { admin } from '../../../copy/admin/admin.ts';
import { RestorableFor } from '../../experiments/restorable-for.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { useUndoDelete } from '../trash/use-undo-delete.ts';
import { useDeleteProject } from './project-queries.ts';

export function DeleteProject({
  project,
  onClose,
  onDeleted,
}: {
  project: { id: string; title: string } | null;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const offerUndo = useUndoDelete();
  return (
    <DeleteDialog
      thing={project}
      title="Delete Project?"
      failed={admin.failedToDeleteProject}
      deletion={useDeleteProject()}
      onClose={onClose}
      onDeleted={({ id, title }) => {
        onDeleted?.();
        offerUndo(admin.projectDeleted(title), [{ kind: 'project', id }]);
      }}
    >
      <p>{admin.deleteProjectQuestion}</p>
      {project && (
        <p className="gap-above-small">
          <strong>{project.title}</strong>
        </p>
      )}
      <RestorableFor open={project !== null} />
    </DeleteDialog>
  );
}
