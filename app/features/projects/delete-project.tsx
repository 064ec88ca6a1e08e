import { RestorableFor } from '#features/portfolio/restorable-for.tsx';
import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { messages } from '#lib/words/messages.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { useDeleteProjects } from './project-queries.ts';

const TITLES = { project: 'Delete project?', experiment: messages.deleteTitle };
const FAILED = { project: 'Failed to delete project', experiment: messages.failedToDeleteExperiment };

interface DeleteProjectsProps {
  projects: readonly { id: string; title: string }[] | null;
  as?: 'project' | 'experiment';
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteProjects({ projects, as = 'project', onClose, onDeleted }: DeleteProjectsProps) {
  const offerUndo = useUndoDelete();
  const all = projects ?? [];
  function resultText(count: number, of: number): string {
    if (count < of) return `${count} of ${of} went to the trash. The rest had been deleted already.`;
    if (of > 1) return `${count} ${as}s are in the trash.`;
    return as === 'project' ? `“${all[0]?.title}” is in the trash.` : 'Experiment successfully deleted';
  }
  return (
    <DeleteDialog
      thing={projects && { id: projects.map(({ id }) => id) }}
      title={all.length > 1 ? `Delete ${all.length} ${as}s?` : TITLES[as]}
      failed={FAILED[as]}
      deletion={useDeleteProjects()}
      onClose={onClose}
      onDeleted={({ id: ids }, deleted) => {
        onDeleted?.();
        const restorable = deleted.map((id) => ({ kind: 'project' as const, id }));
        offerUndo(resultText(deleted.length, ids.length), restorable);
      }}
    >
      <p>Are you sure you want to delete {all.length > 1 ? `these ${as}s` : `this ${as}`}?</p>
      <ul className="gap-above-small">
        {all.map((project) => (
          <li key={project.id}>
            <strong>{project.title}</strong>
          </li>
        ))}
      </ul>
      {as === 'experiment' && <p className="gap-above-small">This action cannot be undone.</p>}
      <RestorableFor open={projects !== null} />
    </DeleteDialog>
  );
}
