export const tables = {
  more: 'More',
  moreFor: (title: string) => `More actions for ${title}`,
  publish: 'Publish',
  delete: 'Delete',
} as const;
