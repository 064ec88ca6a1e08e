import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { type Deleted, restoreDeleted } from './model/trash.ts';
import { trash as words } from './words.ts';

export const trashChanged = (cache: QueryClient) =>
  Promise.all([projectsChanged(cache), cache.invalidateQueries({ queryKey: ['trash'] })]);

export function useUndoDelete(): (said: string, things: readonly Deleted[]) => void {
  const cache = useQueryClient();
  const { say } = useStatus();
  return (said, things) =>
    say(said, {
      undo: async () => {
        const restored = await restoreDeleted(clients().data(), things);
        await trashChanged(cache);
        if (restored === 0) throw new Error(words.goneAlready);
      },
    });
}
