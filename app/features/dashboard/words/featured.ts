export const featured = {
  title: 'Featured on the home page',
  hint: 'The home page shows three: these first, in this order, then the newest. Changes are saved at once.',
  see: 'See the home page',
  loading: 'Loading what the home page shows',
  failed: 'What the home page shows could not be loaded.',
  none: 'Nothing is chosen, so the home page shows the three newest. Open a published project and choose “Show on the home page”.',
  notPublic: 'Not public now, so the next one is shown instead.',
  isAt: (place: number, listed: boolean) =>
    listed ? `Featured on the home page, place ${place}.` : `Featured at place ${place}, but not public now.`,
  isNot: 'Not featured on the home page.',
  publishFirst: 'Only a published project can be featured on the home page.',
  full: (most: number) => `${most} projects are featured on the home page already. Take one off first.`,
  add: 'Show on the home page',
  remove: 'Take off the home page',
  removeOne: (title: string) => `Take “${title}” off the home page`,
  removed: (title: string) => `“${title}” is off the home page.`,
  failedToSave: 'What the home page shows was not changed.',
} as const;
