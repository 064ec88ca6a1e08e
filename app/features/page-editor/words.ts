import { pageSchemas } from '#features/pages/model/page-schemas.ts';
import { ApiError } from '#lib/data/api-error.ts';
import type { PageRow } from './model/pages.ts';

export const pageEditor = {
  title: 'Pages',
  reasonOf: (error: unknown, otherwise: string) => (error instanceof ApiError && error.reason) || otherwise,
  nameOf: ({ kind, title }: Pick<PageRow, 'kind' | 'title'>) =>
    kind === 'free' ? (title ?? '') : pageSchemas[kind].label,
  new: 'New page',
  addressLabel: 'Address',
  delete: 'Delete',
  loadingOne: 'Loading page',
  failedOne: 'The page could not be loaded.',
  gone: 'The page is not there any more.',
  compare: 'Compare with what is live',
  publish: 'Publish',
  discard: 'Discard draft',
  restoreDeleted: 'Restore',
} as const;
