export const editing = {
  savedAtOnce: 'Changes here are saved at once.',

  isForLater:
    'These changes are saved for later. Readers see them once they are published; media and team change at once.',
  unsavedBack: 'Your unsaved input is restored.',
  saved: 'Saved.',

  media: 'Media',
  noMedia: 'No media yet.',
  mediaTitle: 'Title',
  mediaTitleHint: 'Shown in lists, and as a caption unless it is only a file name.',
  captionHint: 'More text for the caption.',
  sendingPoster: 'Uploading the poster...',
  untitled: 'Untitled',
  coverChosen: (name: string) => `${name} is the cover.`,
  coverLeft: 'The first picture is the cover.',
  failedToChooseCover: 'The cover was not changed.',
  failedToMove: 'The new order was not saved. The list shows the previous order.',
  changedMeanwhile: 'Someone else changed this meanwhile. This is their version; your change was not saved.',
  mediaDeleted: 'Media item deleted.',
  failedToSave: 'This was not saved.',

  addMedia: 'Add media by address',
  memberNotAdded: 'The person in Project Team is not added yet: choose Add to the team, or empty the field.',
  createAgain:
    'What you wrote is still here. Correct it if the message says so, then choose Create project again: nothing is created twice.',
  revision: 'Changes saved for later',
  failedToSchedule: 'The date was not changed.',
  failedToPublish: 'The changes were not published.',
  loadingVersions: 'Loading versions',
  restore: 'Restore this version',
  failedToRestore: 'Nothing was restored.',
} as const;
