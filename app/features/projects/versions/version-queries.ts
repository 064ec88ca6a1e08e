import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { findVersion, listVersions, restoreVersion } from '../model/versions/versions.ts';
import { projectsChanged } from '../project-queries.ts';

const VERSIONS = ['projects', 'versions'];

export const useVersions = (id: string, page: number) =>
  useQuery({
    queryKey: [...VERSIONS, id, 'page', page],
    queryFn: () => listVersions(clients().data(), id, page),
    placeholderData: keepPreviousData,
  });

export const useVersion = (id: string, number: number) =>
  useQuery({
    queryKey: [...VERSIONS, id, 'one', number],
    queryFn: () => findVersion(clients().data(), id, number),
    // The version it is compared with may have changed.
    staleTime: 0,
  });

export function useRestoreVersion(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ number, latest }: { number: number; latest: number }) =>
      restoreVersion(clients().data(), id, number, latest),
    onSettled: () => projectsChanged(cache),
  });
}
