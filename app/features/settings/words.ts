export const settingsScreen = {
  unsaved: 'Not saved yet',
  loading: 'Loading settings',
  failedToLoad: 'The settings could not be loaded.',
  failedToSave: 'The service did not respond.',
  whatNow:
    'What you typed is still here. Try again in a moment; if the error persists, reload the page and sign in again.',
  notAllowed: 'Your account can’t change settings any more. Ask another admin.',
} as const;

export const legalScreen = {
  resetConfirm: 'Delete my text',
} as const;
