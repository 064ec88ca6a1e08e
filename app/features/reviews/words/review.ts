export const reviewWords = {
  title: 'Review',
  failedToAnswer: 'The answer was not sent',
  failedToSave: 'It was not saved',
  states: {
    unfinished: 'Not finished',
    waiting: 'Waiting',
    changed: 'Changed',
    changes_requested: 'Asked for changes',
    declined: 'Declined',
    published: 'Published',
  },
  steps: {
    changes_requested: 'asked for changes',
    sent_back: 'sent it back',
    declined: 'declined it',
    published: 'published it',
    reopened: 'reopened it',
    link: 'sent a new link',
  },
  assigned: (name: string | null) => (name ? `Assigned to ${name}.` : 'Unassigned.'),
  waits: (days: number) =>
    days === 0 ? 'waiting for less than a day' : days === 1 ? 'waiting for 1 day' : `waiting for ${days} days`,
  publish: 'Publish',
  ask: 'Ask for changes',
  decline: 'Decline',
  reopen: 'Reopen',
  done: {
    publish: (title: string) => `“${title}” is published.`,
    ask: (title: string) => `You asked for changes to “${title}”.`,
    decline: (title: string) => `“${title}” is declined.`,
    reopen: (title: string) => `“${title}” is back in the inbox.`,
  },
} as const;

export const replyWords = {
  answers: { publish: 'When it is published', ask: 'When changes are requested', decline: 'When it is declined' },
  add: 'Write a reply',
  name: 'Name',
  forAnswer: 'For which answer',
  body: 'Text',
  save: 'Save reply',
  failed: 'The reply was not saved.',
  editOne: (name: string) => `Edit the reply “${name}”`,
  deleteOne: (name: string) => `Delete the reply “${name}”`,
} as const;

export const draftWords = {
  awaiting: 'This is a draft awaiting review. Only you and the people who review it can see it.',
  changed: 'You’ve resubmitted it. We’re reviewing it again.',
  changes_requested: 'We read it, and would like you to change something:',
  declined: 'We read it and will not publish it. This is why:',
  manage: 'Links to this draft',
  edit: 'Change it and send it back',
  keep: 'Keep it in my account',
  kept: 'It is in your account now. Your links still work.',
  title: 'Your draft',
  sentBack: (missing: number) =>
    missing === 0
      ? 'Sent back. Thank you.'
      : `Sent back. Thank you. Not uploaded, and so missing: ${missing === 1 ? 'one picture' : `${missing} pictures`}.`,
  failed: 'Something went wrong. Please try again.',
  failedToReload: 'This page could not be reloaded. Your last change may not be shown.',
  mine: 'My experiments',
  states: {
    unfinished: 'Not finished',
    waiting: 'Waiting for review',
    changed: 'Sent back, waiting for review',
    changes_requested: 'Changes requested',
    declined: 'Declined',
    published: 'Published',
  },
  confirmed:
    'Your address is confirmed and you are signed in. If you came to keep a draft, continue in the browser where you wrote it, or open the draft’s link here: its page puts it into your account.',
} as const;
