export const deviceWords = {
  saved: {
    nothing: 'No changes yet',
    saving: 'Saving on this device',
    saved: 'Saved on this device',
    impossible: 'Not saved: this browser keeps no drafts. Keep this page open until it is sent.',
  },
  savedWithout: (names: string) => `Saved on this device, but not ${names}: keep this page open until it is uploaded.`,
  fileMissing: (name: string) => `${name} could not be saved on this device. Please choose it again.`,
  tabsUnknown: 'Saved on this device. Use one tab only: this browser does not show us the others.',

  signedOut: 'You’re signed out',
  signedOutHint: (account: string) => `You wrote this as ${account}.`,
  yourAccount: 'a signed-in user',
  signInHere:
    'Sign in again to send it from your account: your draft is saved on this device and comes back into the form.',
  signInBeside:
    'Sign in again to send it from your account. The page opens in a new tab, so that nothing here is lost.',
  signIn: 'Sign in and continue',
  sendAsGuest: 'Send as a guest',

  continueDraft: 'Continue your draft?',
  continueDraftHint: 'It was saved on this device and is back in the form below.',
  finishSending: 'Finish sending your draft?',
  finishSendingHint: 'Sending was interrupted. All of it is still here, and nothing is sent twice.',

  openElsewhere: 'Another draft is open in another tab.',
  openElsewhereHint: 'What you write here is a separate draft. Both are saved on this device.',

  freeDrafts: (count: number) =>
    count === 1 ? 'Another draft is saved on this device' : `${count} more drafts are saved on this device`,
  freeDraftsHint: 'Opening a draft keeps the form below as another draft: nothing is lost.',
  noTitle: 'No title yet',
  pictures: (count: number) => (count === 1 ? '1 picture or video' : `${count} pictures and videos`),
  isQueued: 'Waiting to be sent.',
  viewDraft: 'View draft',
  openDraft: 'Open it here',
  deleteDraft: 'Delete it',
  deleteQuestion: 'Delete this draft?',
  deleteText: (title: string) => `“${title}” is saved on this device only. It cannot be restored.`,

  waiting: {
    offline: 'You are offline.',
    unreachable: 'We cannot be reached right now.',
  },
  waitingSaved: 'Everything is saved on this device; we send it when you are back online.',
  waitingUnsaved: 'This browser keeps no drafts, so leave this page open: we send it when you are back online.',
  waitingPage: 'You can close this page. It is sent the next time you open it with a connection.',
  back: 'You are back online.',
  sendingNow: 'Sending your experiment now.',
  tryNow: 'Try now',
  sendLater: 'Send later',
  later: 'Not sent yet. It is saved on this device. Send it when you are ready.',
  keepsBreaking:
    'Failed to submit experiment: the connection was lost each time we tried. Nothing of it is lost; please try again in a while.',
  uploadWaits: 'The connection was lost. It resumes when you are back online.',
} as const;
