export const featured = {
  loading: 'Loading what the home page shows',
  failedToLoad: 'What the home page shows could not be loaded.',
  isAt: (place: number, listed: boolean) =>
    listed ? `Featured on the home page, place ${place}.` : `Featured at place ${place}, but not public now.`,
  failedToSave: 'What the home page shows was not changed.',
} as const;
