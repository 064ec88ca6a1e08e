import { useQuery, useQueryClient } from '@tanstack/react-query';
import { findSplit, findStatements, type SplitDraft, type SplitOfProject } from '../../../models/split/records.ts';
import { clients } from '../../../session/browser.ts';

const SPLIT = 'split';
const projectKey = (id: string) => [SPLIT, 'project', id];

export const useSplit = (projectId: string) =>
  useQuery({
    queryKey: projectKey(projectId),
    queryFn: () => findSplit(clients().data(), projectId),
    // The form is filled from it once; what changes meanwhile is met when saving.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** An issued sheet never changes. */
export const useStatements = (sheetId: string) =>
  useQuery({
    queryKey: [SPLIT, 'statements', sheetId],
    queryFn: () => findStatements(clients().data(), sheetId),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Reads the project's sheets again. */
export function useSplitChanged(projectId: string) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: projectKey(projectId) });
}

/** Keeps a draft as it was saved: whoever comes back to its form goes on from there. */
export function useKeepDraft(projectId: string) {
  const cache = useQueryClient();
  return (draft: SplitDraft) =>
    cache.setQueryData<SplitOfProject | null>(projectKey(projectId), (split) => split && { ...split, draft });
}
