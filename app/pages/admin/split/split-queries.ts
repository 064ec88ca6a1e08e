import { useQuery, useQueryClient } from '@tanstack/react-query';
import { findSplit, findStatements } from '../../../models/split-sheet-records.ts';
import { clients } from '../../../session/browser.ts';

const SPLIT = 'split';

export const useSplit = (projectId: string) =>
  useQuery({
    queryKey: [SPLIT, 'project', projectId],
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
  return () => cache.invalidateQueries({ queryKey: [SPLIT, 'project', projectId] });
}
