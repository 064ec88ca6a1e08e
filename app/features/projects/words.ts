export const editing = {
  savedAtOnce: 'Changes here are saved at once.',

  unsavedBack: 'What you had typed and not saved is here again.',
  saved: 'Saved.',

  media: 'Media',
  noMedia: 'No media yet.',
  mediaTitle: 'Title',
  mediaTitleHint: 'What it is called in lists. Read under it, unless it is only the name of a file.',
  captionHint: 'More to say about it, read under it.',
  sendingPoster: 'Uploading the poster...',
  untitled: 'Untitled',
  coverChosen: (name: string) => `${name} is the cover.`,
  coverLeft: 'The first picture is the cover.',
  failedToChooseCover: 'The cover was not changed.',
  failedToMove: 'The new order was not saved. The list is as it was.',
  changedMeanwhile: 'Someone else changed this meanwhile. This is the current version; nothing of yours was saved.',
  mediaDeleted: 'Media item deleted.',
  failedToSave: 'This was not saved.',

  addMedia: 'Add media by address',
  memberNotAdded: 'The person in Project Team is not added yet: choose Add to the team, or empty the field.',
  createAgain:
    'What you wrote is still here. Correct it if the message says so, then choose Create project again: nothing is created twice.',
  loadingVersions: 'Loading versions',
  restore: 'Restore this version',
  failedToRestore: 'Nothing was restored.',
} as const;
