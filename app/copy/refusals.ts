export const refusalWords = {
  429: {
    title: 'Too Many Requests',
    text: (seconds: number) =>
      `Too many requests come from your address. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
  },
  503: {
    title: 'Back in a Moment',
    text: () => 'We are very busy, or briefly away. Please try again in a moment.',
  },
  507: {
    title: 'No Room Left',
    text: () => 'Our server has no room left, so nothing was saved. Please try again later.',
  },
} as const;
