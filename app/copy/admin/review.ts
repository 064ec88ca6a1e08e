import { creditWords, type Made } from '../credits.ts';

/** Words of the review queue and of submitted drafts. */
export const reviewWords = {
  title: 'Review',
  inbox: 'Submissions',
  none: 'Nothing waits. Whatever is sent in with the form arrives here.',
  noneOfThese: 'No submission is in this state.',
  choose: 'Choose a submission to read it.',
  failed: 'Failed to load submissions',
  failedOne: 'Failed to load the submission',
  gone: 'This submission is not here any more.',
  failedToAnswer: 'The answer was not sent',
  gateTitle: 'Not ready to be published',
  gate: 'The settings ask for all of this to be in order first:',
  gateShow: 'Show me where',
  failedToSave: 'It was not saved',
  states: {
    waiting: 'Waiting',
    changed: 'Changed',
    asked: 'Asked for changes',
    declined: 'Declined',
    published: 'Published',
  },
  steps: {
    asked: 'asked for changes',
    sent_back: 'sent it back',
    declined: 'declined it',
    published: 'published it',
    reopened: 'reopened it',
    link: 'sent a new link',
  },
  unfinished: 'Unfinished',
  mine: 'Mine',
  noneOfMine: 'You look after none of these.',
  lookedAfter: (name: string) => `${name} looks after it`,
  looksAfter: 'Who looks after it',
  nobodyLooks: 'Nobody in particular',
  assignMe: 'Assign to me',
  assigned: (name: string | null) =>
    name ? `${name} looks after it now.` : 'Nobody in particular looks after it now.',
  failedToAssign: 'It was not saved who looks after it',
  waits: (days: number) => (days === 0 ? 'waits since today' : days === 1 ? 'waits 1 day' : `waits ${days} days`),
  waiting: (count: number) => (count === 1 ? '1 submission waits' : `${count} submissions wait`),
  noCaption: 'No caption',
  madeByFile: (made: Made, isMarked: boolean) =>
    `The file’s metadata ${isMarked ? 'say something else' : 'say'}: made ${creditWords.madeHow[made]}.`,
  incomplete: 'Not finished: its last step never arrived',
  file: 'Correct category and tags',
  saveFiling: 'Save category and tags',
  filed: (title: string) => `Category and tags of “${title}” are saved.`,
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
  privateNotes: 'Private notes',
  notesHint: 'Only admins read them, never the submitter.',
} as const;

/** Words of the replies that are written once and put into answers. */
export const replyWords = {
  title: 'Replies of the review desk',
  intro:
    'What is answered again and again, written once. At the desk a reply is put into the answer, where it can still be changed.',
  loading: 'Loading replies',
  failed: 'The replies could not be loaded.',
  none: 'There is no reply yet.',
  answers: { publish: 'When it is published', ask: 'When changes are asked for', decline: 'When it is declined' },
  add: 'Write a reply',
  name: 'Name',
  nameHint: 'Only admins see it.',
  forAnswer: 'For which answer',
  body: 'Words',
  places:
    '{title} becomes the title of the submission, {client} its client, {site} the name of the site, {me} your own name.',
  save: 'Save reply',
  saved: (name: string) => `The reply “${name}” is saved.`,
  failedToSave: 'The reply was not saved.',
  editOne: (name: string) => `Edit the reply “${name}”`,
  deleteOne: (name: string) => `Delete the reply “${name}”`,
  deleted: (name: string) => `The reply “${name}” is deleted.`,
  failedToDelete: 'The reply was not deleted.',
  choose: 'Use a reply',
  putIn: 'Put it in',
  edit: 'Edit the replies',
  yourClient: 'your client',
} as const;

export const draftWords = {
  awaiting: 'This is a draft awaiting review. Only you and the people who review it can see it.',
  changed: 'You sent it back. It is with the people who review it again.',
  asked: 'We read it, and would like you to change something:',
  declined: 'We read it and will not publish it. This is why:',
  manage: 'Links to this draft',
  edit: 'Change it and send it back',
  keep: 'Keep it in my account',
  kept: 'It is in your account now. Your links go on working.',
  desk: 'Your draft',
  sendBack: 'Send back',
  sendingBack: 'Sending back...',
  sentBack: (missing: number) =>
    missing === 0
      ? 'Sent back. Thank you.'
      : `Sent back. Thank you. ${missing} of your pictures did not arrive and are not in it.`,
  backToDraft: 'Back to your draft',
  links: 'Links',
  linksFor:
    'A link you create is for reading: anyone who has it can read this draft, and change it once we’ve asked for changes. Only your own first link, and those in our emails to you, can move the draft into an account or manage its links.',
  failed: 'Something went wrong. Please try again.',
  failedToLoad: 'Your draft could not be loaded.',
  failedToReload: 'This page could not be brought up to date. What you did before may be missing on it.',
  tryAgain: 'Try again',
  mine: 'My experiments',
  states: {
    waiting: 'Waiting for review',
    changed: 'Sent back, waiting for review',
    asked: 'Changes are asked for',
    declined: 'Declined',
    published: 'Published',
  },
  confirmed:
    'Your address is confirmed and you are signed in. If you came to keep a draft, go on in the browser where you wrote it, or open the draft’s link here: its page puts it into your account.',
} as const;
