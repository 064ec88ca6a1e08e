export const uploadWords = {
  title: 'Simple Project Upload',
  unadded: 'This media item is not on the list yet: choose Add Media, or empty its fields.',
} as const;
