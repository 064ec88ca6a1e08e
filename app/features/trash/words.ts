export const trash = {
  title: 'Trash',
  kinds: { project: 'Projects', media: 'Media', comment: 'Comments' },
  kind: { project: 'Project', media: 'Media', comment: 'Comment' },
  restore: 'Restore',
  goneAlready: 'Already restored, deleted permanently, or there again.',
  left: (days: number) => (days === 0 ? 'less than a day left' : days === 1 ? '1 day left' : `${days} days left`),
} as const;
