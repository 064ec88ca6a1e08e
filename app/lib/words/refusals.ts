export const refusalWords = {
  429: {
    title: 'Too many requests',
    text: (seconds: number) =>
      `Too many requests come from your address. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
  },
  503: {
    title: 'Back in a moment',
    text: () => 'We are very busy, or briefly away. Please try again in a moment.',
  },
  507: {
    title: 'No room left',
    text: () => 'Our server has no room left, so nothing was saved. Please try again later.',
  },
} as const;
