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

export const webhookWords = {
  events: {
    'submission.received': 'A new submission',
    'submission.changed': 'A submission is sent back with changes',
    'message.received': 'A message from the contact form',
    'project.published': 'A project appears on the site',
    'project.unpublished': 'A project leaves the site',
  },
  test: 'A test',
  states: { sent: 'Sent', waiting: 'Being sent', retrying: 'Failed, and will be tried again', failed: 'Failed' },
  failed: 'The webhook was not changed.',
  none: 'There are no webhooks yet.',
  noEvent: 'Choose at least one event.',
  addressHint: 'It starts with https:// and answers with a status from 200 to 299 within ten seconds.',
  secret: 'Copy the secret now: it is not shown again.',
  renewQuestion: 'Its receiver refuses events until it knows the new secret.',
  hosted: 'This site’s data is stored by a hosting service. Set up webhooks in its dashboard.',
} as const;
