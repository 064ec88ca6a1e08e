import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Deleted, readTrash, restoreDeleted, type TrashQuestion } from '../../../models/office/trash.ts';
import { clients } from '../../../session/browser.ts';
import { projectsChanged } from '../projects/project-queries.ts';

const TRASH = 'trash';

/** Never cached: other admins delete and restore in the meantime. */
export const useTrash = (question: TrashQuestion) =>
  useQuery({
    queryKey: [TRASH, question],
    queryFn: () => readTrash(clients().data(), question),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export function useRestore() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (things: readonly Deleted[]) => restoreDeleted(clients().data(), things),
    onSettled: () => Promise.all([projectsChanged(cache), cache.invalidateQueries({ queryKey: [TRASH] })]),
  });
}
