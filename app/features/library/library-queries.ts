import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import {
  deleteFiles,
  describeFiles,
  type LibraryFile,
  type LibraryPage,
  type LibraryQuestion,
  libraryParams,
  readLibrary,
  restoreFiles,
} from './model/library.ts';

const LIBRARY = 'library';

export const libraryChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [LIBRARY] });

const read = (question: LibraryQuestion) => readLibrary(clients().data(), clients().storage, question);

export const useLibrary = (question: LibraryQuestion) => useRead([LIBRARY, question], () => read(question), keepsShown);

export const useLibrarySearch = (search: string, kind: LibraryFile['kind'] | null = null) =>
  useInfiniteQuery({
    queryKey: [LIBRARY, 'search', search, kind],
    queryFn: ({ pageParam: before }) => read({ ...libraryParams.read(new URLSearchParams()), search, kind, before }),
    initialPageParam: null as LibraryPage['next'],
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    ...keepsShown,
  });

/** Alt texts, credits and replaced files show in projects, too. */
export const mediaChanged = (cache: QueryClient) => Promise.all([libraryChanged(cache), projectsChanged(cache)]);

export const useDescribeFiles = () => useWrite(describeFiles, mediaChanged);
export const useDeleteFiles = () => useWrite(deleteFiles, mediaChanged);
export const useRestoreFiles = () => useWrite(restoreFiles, mediaChanged);
