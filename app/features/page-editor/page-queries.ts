import { type QueryClient, useQuery } from '@tanstack/react-query';
import { findPlans } from '#features/projects/model/plans.ts';
import { clients } from '#session/browser.ts';
import { useWrite } from '#session/use-write.ts';
import { createPage, deletePage, findPage, listEditedPages, listPageVersions, restorePage } from './model/pages.ts';

const PAGES = 'pages';

export const pagesChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [PAGES] });

export const usePages = () =>
  useQuery({
    queryKey: [PAGES, 'list'],
    queryFn: async () => ({ rows: await listEditedPages(clients().data()) }),
    staleTime: 0,
  });

export const usePage = (id: string) =>
  useQuery({ queryKey: [PAGES, 'one', id], queryFn: () => findPage(clients().data(), id), staleTime: 0 });

export const usePageVersions = (id: string) =>
  useQuery({ queryKey: [PAGES, 'versions', id], queryFn: () => listPageVersions(clients().data(), id), staleTime: 0 });

export const usePagePlans = (id: string) =>
  useQuery({
    queryKey: [PAGES, 'plan', id],
    queryFn: () => findPlans(clients().data(), { page_id: id }),
    staleTime: 0,
  });

export const useCreatePage = () => useWrite(createPage, pagesChanged);
export const useDeletePage = () => useWrite(deletePage, pagesChanged);
export const useRestorePage = () => useWrite(restorePage, pagesChanged);
