import { type QueryClient, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { fromCache, keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { countDrafts, type ProjectQuestion, readProjects, readTable } from './model/list.ts';
import { listDueChanges } from './model/plans.ts';
import { findProjectInFull } from './model/read.ts';
import { deleteMedia, deleteProjects, setStatus, setStatuses } from './model/write.ts';
import { withStatus } from './optimistic-status.ts';

// First part of the query key of all projects, so that one write invalidates all.
export const PROJECTS = 'projects';
export const REVIEWS = 'review';

export const useDraftCount = () => useRead([PROJECTS, 'drafts'], countDrafts, fromCache);

export const useAllProjects = () =>
  useInfiniteQuery({
    queryKey: [PROJECTS, 'all'],
    queryFn: ({ pageParam }) =>
      readProjects(clients().data(), { search: '', status: null, review: null, sort: 'newest', page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
  });

export function useProjectPage(question: ProjectQuestion, as: 'project' | 'experiment') {
  const read = as === 'project' ? readProjects : readTable;
  return useRead([PROJECTS, 'page', as, question], (data) => read(data, question), { ...fromCache, ...keepsShown });
}

export const useProject = (id: string) =>
  useRead([PROJECTS, 'one', id], (data) => findProjectInFull(data, id), fromCache);

export const useDueChanges = () => useRead([PROJECTS, 'due'], listDueChanges);

export const projectsChanged = (cache: QueryClient) =>
  Promise.all([cache.invalidateQueries({ queryKey: [PROJECTS] }), reviewsChanged(cache)]);

export const reviewsChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [REVIEWS] });

/** Does not refetch a deleted project, whose screen is still mounted until the navigation. */
export function useDeleteProjects() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => deleteProjects(clients().data(), ids),
    onSuccess: async (_, ids) => {
      const isDeleted = ({ queryKey: [, what, id] }: { queryKey: readonly unknown[] }) =>
        what === 'one' && ids.includes(id as string);
      const queryKey = [PROJECTS];
      await cache.invalidateQueries({ queryKey, predicate: isDeleted, refetchType: 'none' });
      await cache.invalidateQueries({ queryKey, predicate: (query) => !isDeleted(query) });
      await reviewsChanged(cache);
    },
  });
}

export const useDeleteMedia = () => useWrite(deleteMedia, projectsChanged);

export const useSetStatuses = () => useWrite(setStatuses, projectsChanged);

export const useSetStatus = () =>
  useWrite(setStatus, projectsChanged, {
    queryKey: [PROJECTS],
    change: (read: unknown, { id, status }) => withStatus(read, id, status),
  });
