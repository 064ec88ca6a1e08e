export const featured = {
  title: 'Featured on the home page',
  loading: 'Loading what the home page shows',
  add: 'Show on the home page',
  removeOne: (title: string) => `Take “${title}” off the home page`,
  failedToSave: 'What the home page shows was not changed.',
} as const;
