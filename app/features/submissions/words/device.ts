export const deviceWords = {
  saved: {
    nothing: 'No changes yet',
    saving: 'Saving on this device',
    saved: 'Saved on this device',
    impossible: 'Not saved: this browser keeps no drafts. Keep this page open until it is sent.',
  },
  savedWithout: (names: string) => `Saved on this device, but not ${names}: keep this page open until it is uploaded.`,
  notKept: (name: string) => `${name} could not be kept on this device. Please choose it again.`,
  tabsUnknown: 'Saved on this device. Use one tab only: this browser does not tell us about the others.',

  signedOut: 'You’re signed out',
  signedOutHint: (account: string) => `You wrote this as ${account}.`,
  yourAccount: 'a signed-in user',
  signInHere:
    'Sign in again to send it from your account: your draft is saved on this device and comes back into the form.',
  signInBeside:
    'Sign in again to send it from your account. The page opens in a new tab, so that nothing here is lost.',
  signIn: 'Sign in and continue',
  sendAsGuest: 'Send as a guest',

  elsewhere: 'Your draft is open in another tab.',
  elsewhereHint:
    'Close that tab and the draft comes here by itself. You can write here meanwhile: it is kept as well, and nothing of either is lost.',
  writeHere: 'Continue in this tab',
  closed: 'The other tab is closed. You can continue here.',
  taken: 'You can continue here now.',
  joined: 'What you wrote in the other tab is in the form below, together with what you wrote here.',
  sentElsewhere: 'Your draft was sent or deleted in the other tab. This form is empty again.',

  kept: 'Another draft is kept on this device',
  keptHint: 'It differs from the form below, so we kept both.',
  noTitle: 'No title yet',
  pictures: (count: number) => (count === 1 ? '1 picture or video' : `${count} pictures and videos`),
  keptWanted: 'Waiting to be sent.',
  read: 'View draft',
  openKept: 'Open it here',
  deleteKept: 'Delete it',
  deleteQuestion: 'Delete this draft?',
  deleteText: (title: string) => `“${title}” is kept on this device only. It cannot be brought back.`,

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
