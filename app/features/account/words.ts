export const accountPage = {
  title: 'Your account',
  loading: 'Looking for your account',
  failedToLoad: 'Your account could not be loaded.',
  emailHintFirst:
    'We send a link to this address. The address changes once you open the link and click the button there.',
} as const;

export const downloadWords = {
  cutOff: 'The download broke off, so nothing was saved. Check the connection, then try again.',
  failed: 'The download could not begin. Try again in a moment.',
} as const;
