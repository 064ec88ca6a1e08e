export const editing = {
  savedAtOnce: 'Changes here are saved at once.',
  savedForLater: 'Readers see changes here once they are published.',
  saved: 'Saved.',

  media: 'Media',
  noMedia: 'No media yet.',
  sendingPoster: 'Uploading the poster...',
  failedToSave: 'This was not saved.',

  memberNotAdded: 'The person in Project Team is not added yet: choose Add to the team, or empty the field.',
  createAgain:
    'What you wrote is still here. Correct it if the message says so, then choose Create project again: nothing is created twice.',
  revision: 'Changes saved for later',
  failedToSchedule: 'The date was not changed.',
  loadingVersions: 'Loading versions',
  restore: 'Restore this version',
} as const;
