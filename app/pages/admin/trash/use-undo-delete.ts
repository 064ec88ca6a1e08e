import { useQueryClient } from '@tanstack/react-query';
import { trash as words } from '../../../copy/admin/trash.ts';
import { type Deleted, restoreDeleted } from '../../../models/office/trash.ts';
import { clients } from '../../../session/browser.ts';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { projectsChanged } from '../projects/project-queries.ts';

export function useUndoDelete(): (said: string, things: readonly Deleted[]) => void {
  const cache = useQueryClient();
  const { say } = useStatus();
  return (said, things) =>
    say(said, {
      undo: async () => {
        const restored = await restoreDeleted(clients().data(), things);
        await Promise.all([projectsChanged(cache), cache.invalidateQueries({ queryKey: ['trash'] })]);
        if (restored === 0) throw new Error(words.goneAlready);
      },
    });
}
