export const trash = {
  title: 'Trash',
  loading: 'Loading the trash',
  failed: 'The trash could not be loaded.',
  intro: (days: number) =>
    `What was deleted stays here for ${days === 1 ? 'one day' : `${days} days`}. A project comes back with its pictures, texts, team and budget.`,
  empty: 'The trash is empty. Whatever you delete can be brought back from here.',
  noMatch: 'Nothing in the trash matches.',
  search: 'Search titles',
  all: 'Everything',
  kinds: { project: 'Projects', media: 'Media' },
  untitled: (type: string | null) =>
    `${type === 'image' ? 'Picture' : type === 'video' ? 'Film' : 'Demo'} without a title`,
  kind: { project: 'Project', media: 'Media' },
  restore: 'Restore',
  restoring: 'Restoring...',
  restoreChosen: (count: number) => (count === 0 ? 'Restore chosen' : `Restore ${count} chosen`),
  choose: (title: string) => `Choose ${title}`,
  chooseAll: 'Choose all on this page',
  restored: (title: string) => `“${title}” is back.`,
  restoredMany: (count: number) => (count === 1 ? '1 item is back.' : `${count} items are back.`),
  restoredSome: (count: number, of: number) =>
    `${count} of ${of} came back; the others had come back already, or their time was over.`,
  goneAlready: 'Already restored, or its 30 days are over.',
  failedToRestore: 'It could not be brought back.',
  withMedia: (count: number) => (count === 1 ? 'with one media item' : `with ${count} media items`),
  somebody: 'Somebody who is gone, or the server',
  left: (days: number) => (days === 0 ? 'less than a day left' : days === 1 ? '1 day left' : `${days} days left`),
  count: (total: number, more: boolean) =>
    more ? `More than ${total} items: search for the one you need` : total === 1 ? '1 item' : `${total} items`,
} as const;
