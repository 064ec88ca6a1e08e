export const archiveWords = {
  cutOff: 'The download broke off, so nothing was saved. Check the connection, then try again.',
  failed: 'The download could not begin. Try again in a moment.',
  cancelled: 'The download was cancelled. Nothing was saved.',
} as const;
