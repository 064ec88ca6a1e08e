import type { QueryClient } from '@tanstack/react-query';
import { findPlans } from '#features/projects/model/plans.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { createPage, deletePage, findPage, listEditedPages, listPageVersions, restorePage } from './model/pages.ts';

const PAGES = 'pages';

export const pagesChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [PAGES] });

export const usePages = () => useRead([PAGES, 'list'], async (data) => ({ rows: await listEditedPages(data) }));
export const usePage = (id: string) => useRead([PAGES, 'one', id], (data) => findPage(data, id));
export const usePageVersions = (id: string) => useRead([PAGES, 'versions', id], (data) => listPageVersions(data, id));
export const usePagePlans = (id: string, enabled = true) =>
  useRead([PAGES, 'plan', id], (data) => findPlans(data, { page_id: id }), { enabled });

export const useCreatePage = () => useWrite(createPage, pagesChanged);
export const useDeletePage = () => useWrite(deletePage, pagesChanged);
export const useRestorePage = () => useWrite(restorePage, pagesChanged);
