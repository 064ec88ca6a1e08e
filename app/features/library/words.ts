const files = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const places = (count: number) => (count === 1 ? 'one place' : `${count} places`);

export const library = {
  title: 'Media',
  about:
    'Every picture and video of the site, and where it is used. Drop files anywhere here to upload them: PNG, JPG, GIF, WebP or AVIF up to 10\u00a0MB, MP4 or WebM up to 200\u00a0MB.',
  loading: 'Loading media',
  failed: 'The media library could not be loaded.',
  none: 'No pictures or videos yet. Upload the first ones here.',
  noMatch: 'No pictures or videos match.',
  count: files,
  states: { unused: 'Unused', no_alt: 'Without alt text', deleted: 'Deleted' },
  columns: { file: 'File', places: 'Used in', alt: 'Alt text', credit: 'Credit', added: 'Added' },
  places: {
    page: (title: string | null) => `Page “${title}”`,
    legal: (slug: string | null) => `Legal page “${slug}”`,
    setting: (label: string | null) => `Setting “${label}”`,
    trash: () => 'Trash',
  },
  named: 'Not needed: posters have the text of their video, portraits the name of the person',
  delete: 'Delete',
  deleteTitle: (count: number) => `Delete ${files(count)}?`,
  usedTitle: (count: number) => (count === 1 ? 'This file is in use' : `${files(count)} are in use`),
  deleted: (count: number) => `${files(count)} deleted.`,
  restore: 'Restore',
  restored: (count: number) => `${files(count)} restored.`,
  goneAlready: 'Already restored, or its time is over.',
  replaceIn: (count: number) =>
    count === 0
      ? 'It is not used anywhere yet.'
      : `It is used in ${places(count)}. Trash and old versions keep the old file:`,
  replaceHint: {
    image: 'Alt texts and captions stay as they are. The old picture stays in the library.',
    film: 'Titles and posters stay as they are. The captions belong to the old video, which stays in the library.',
  },
  replaceBy: { image: 'New picture', film: 'New video' },
  replaced: (count: number) => `Replaced in ${places(count)}.`,
  upload: 'Upload files',
  cancel: 'Cancel',
  choose: 'Choose from the library',
} as const;
