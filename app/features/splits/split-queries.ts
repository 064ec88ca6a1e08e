import { useQuery, useQueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { findSplit, findStatements, type SplitDraft, type SplitOfProject } from './model/records.ts';

const SPLIT = 'split';
const projectKey = (id: string) => [SPLIT, 'project', id];

export const useSplit = (projectId: string) =>
  useQuery({
    queryKey: projectKey(projectId),
    queryFn: () => findSplit(clients().data(), projectId),
    // Fills the form once; concurrent changes are detected on save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const useStatements = (sheetId: string) =>
  useQuery({
    queryKey: [SPLIT, 'statements', sheetId],
    queryFn: () => findStatements(clients().data(), sheetId),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useSplitChanged(projectId: string) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: projectKey(projectId) });
}

export function useKeepDraft(projectId: string) {
  const cache = useQueryClient();
  return (draft: SplitDraft) =>
    cache.setQueryData<SplitOfProject | null>(projectKey(projectId), (split) => split && { ...split, draft });
}
