export const settingsScreen = {
  unsaved: 'Not saved yet',
  loading: 'Loading settings',
  failedToLoad: 'The settings could not be loaded.',
  failedToSave: 'The service did not respond.',
  whatNow:
    'What you typed is still here. Try again in a moment; if the error persists, reload the page and sign in again.',
  notAllowed: 'Your account can’t change settings any more. Ask another admin.',
} as const;

export const webhookWords = {
  events: {
    'submission.received': 'A new submission',
    'submission.changed': 'A submission is sent back with changes',
    'comment.received': 'A client comments on a draft, or approves it',
    'message.received': 'A message from the contact form',
    'project.published': 'A project appears on the site',
    'project.unpublished': 'A project leaves the site',
    'schedule.done': 'A scheduled publication is carried out',
    'schedule.refused': 'A scheduled publication is refused at its date',
  },
  states: { sent: 'Sent', waiting: 'Being sent', retrying: 'Failed, and will be tried again', failed: 'Failed' },
  failed: 'The webhook was not changed.',
} as const;
