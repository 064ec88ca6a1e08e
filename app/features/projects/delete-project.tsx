import { RestorableFor } from '#features/portfolio/restorable-for.tsx';
import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { deletion as words } from '#lib/words/tables.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { useDeleteProjects } from './project-queries.ts';

export function DeleteProjects({
  projects,
  as = 'project',
  onClose,
  onDeleted,
}: {
  projects: readonly { id: string; title: string }[] | null;
  as?: 'project' | 'experiment';
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const offerUndo = useUndoDelete();
  const all = projects ?? [];
  return (
    <DeleteDialog
      thing={projects && { id: projects.map(({ id }) => id) }}
      title={words.title(as, all.length)}
      failed={words.failed[as]}
      deletion={useDeleteProjects()}
      onClose={onClose}
      onDeleted={({ id: ids }, deleted) => {
        onDeleted?.();
        offerUndo(
          words.done(as, deleted.length, ids.length, all[0]?.title ?? ''),
          deleted.map((id) => ({ kind: 'project', id })),
        );
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
