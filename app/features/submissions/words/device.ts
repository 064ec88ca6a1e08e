export const deviceWords = {
  saved: {
    nothing: 'No changes yet',
    saving: 'Saving on this device',
    saved: 'Saved on this device',
    impossible: 'Not saved: this browser keeps no drafts. Keep this page open until it is sent.',
  },
  tabsUnknown: 'Saved on this device. Use one tab only: this browser does not show us the others.',

  freeDrafts: (count: number) =>
    count === 1 ? 'Another draft is saved on this device' : `${count} more drafts are saved on this device`,
  deleteDraft: 'Delete it',

  waiting: { offline: 'You are offline.', unreachable: 'We cannot be reached right now.' },
  waitingSaved: 'Everything is saved on this device; we send it when you are back online.',
  sendingNow: 'Sending your experiment now.',
  later: (isSaved: boolean) =>
    `Not sent yet. ${isSaved ? 'It is saved on this device. Send it when you are ready.' : 'Not all of it is saved on this device, so leave this page open until it is sent.'}`,
  keepsBreaking:
    'Failed to submit experiment: the connection was lost each time we tried. Nothing of it is lost; please try again in a while.',
  uploadWaits: 'The connection was lost. It resumes when you are back online.',
} as const;
