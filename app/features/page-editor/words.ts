import { pageSchemas } from '#features/pages/model/page-schemas.ts';
import { ApiError } from '#lib/data/api-error.ts';
import type { PageRow } from './model/pages.ts';

export const pageEditor = {
  title: 'Pages',
  about:
    'The words and pictures of the site, its menu, and pages of your own. Readers see changes once you publish them.',
  loading: 'Loading pages',
  failed: 'The pages could not be loaded.',
  reasonOf: (error: unknown, otherwise: string) => (error instanceof ApiError && error.reason) || otherwise,
  nameOf: ({ kind, title }: Pick<PageRow, 'kind' | 'title'>) =>
    kind === 'free' ? (title ?? '') : pageSchemas[kind].label,
  everyPage: 'On every page',
  new: 'New page',
  create: 'Create page',
  creating: 'Creating...',
  failedToCreate: 'The page was not created.',
  addressLabel: 'Address',
  addressHint: 'A slash, then small letters, digits and hyphens, such as /open-studio.',
  delete: 'Delete',
  deleteTitle: 'Delete page?',
  loadingOne: 'Loading page',
  failedOne: 'The page could not be loaded.',
  gone: 'The page is not there any more.',
  failedToSave: 'The draft was not saved. What you typed is still here.',
  failedToPublish: 'The page was not published.',
  failedToRestore: 'The version was not restored.',
  failedToMove: 'The page keeps its address.',
  preview: 'Preview',
  compare: 'Compare with what is live',
  publish: 'Publish',
  restore: 'Restore into the draft',
  discard: 'Discard draft',
  chooseHint: 'A click takes the picture with its alt text.',
  removePicture: 'Remove picture',
  upload: 'Or upload a picture',
  uploadHint: 'PNG, JPG, GIF, WebP or AVIF up to 10 MB. It is added to the library.',
  alt: 'What does it show?',
  altHint: 'For readers who do not see it. Leave it empty for a decoration.',
  failedToDelete: 'The page was not deleted.',
  deleted: (title: string) => `“${title}” is deleted.`,
} as const;
