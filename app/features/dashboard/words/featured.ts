export const featured = {
  title: 'Featured on the home page',
  loading: 'Loading what the home page shows',
  isAt: (place: number, listed: boolean) =>
    listed ? `Featured on the home page, place ${place}.` : `Featured at place ${place}, but not public now.`,
  add: 'Show on the home page',
  removeOne: (title: string) => `Take “${title}” off the home page`,
  failedToSave: 'What the home page shows was not changed.',
} as const;
