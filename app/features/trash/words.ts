export const trash = {
  title: 'Trash',
  caption: 'Deleted items, newest first',
  loading: 'Loading the trash',
  failed: 'The trash could not be loaded.',
  intro: (days: number) =>
    `What was deleted stays here for ${days === 1 ? 'one day' : `${days} days`}. A project comes back with its pictures, texts, team and budget.`,
  empty: 'The trash is empty. You can restore here what you delete.',
  noMatch: 'Nothing in the trash matches.',
  search: 'Search titles',
  kinds: { project: 'Projects', media: 'Media' },
  untitled: (type: string | null) =>
    `${type === 'image' ? 'Picture' : type === 'video' ? 'Video' : 'Demo'} without a title`,
  kind: { project: 'Project', media: 'Media' },
  restore: 'Restore',
  restoring: 'Restoring...',
  restored: (title: string) => `“${title}” is restored.`,
  restoredMany: (count: number) => (count === 1 ? '1 item is restored.' : `${count} items are restored.`),
  restoredSome: (count: number, of: number) =>
    `${count} of ${of} restored; the others were restored already, or their time was over.`,
  goneAlready: 'Already restored, or deleted permanently.',
  failedToRestore: 'It could not be restored.',
  withMedia: (count: number) => (count === 1 ? 'with one media item' : `with ${count} media items`),
  unknownUser: 'A deleted user, or the server',
  left: (days: number) => (days === 0 ? 'less than a day left' : days === 1 ? '1 day left' : `${days} days left`),
  count: (total: number, more: boolean) =>
    more ? `More than ${total} items: search for the one you need` : total === 1 ? '1 item' : `${total} items`,
} as const;
