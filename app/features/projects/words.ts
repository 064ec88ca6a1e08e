export const editing = {
  status: (status: string, listed: boolean) => (listed ? `${status} (public)` : status),
  noDay: 'No day chosen',
  categoryHint: 'Category under which readers find it in the list.',
  savedAtOnce: 'Changes here are saved at once.',

  unsavedBack: 'Your unsaved input is restored.',
  discard: 'Discard it',
  saved: 'Saved.',

  metTitle: 'Someone saved this project while you were writing',
  metSafe: 'Nothing was overwritten, and nothing you typed is lost.',
  metBoth: (fields: string) => `You both changed: ${fields}. Choose which version to keep.`,
  metNone: 'You changed different fields, so both changes can be kept.',
  metTheirs: (fields: string) => `They also changed: ${fields}. Their change is kept.`,
  metMine: (fields: string) => `You also changed: ${fields}. Your change is kept in the form.`,
  keepTheirs: 'Keep theirs',
  takeMine: 'Take mine',
  compare: 'Compare field by field',
  saveBoth: 'Save mine too',
  saveChoice: 'Save this choice',
  theirsKept: 'Their version is in the form.',

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
  filesUnderWay: 'Picture files are still uploading. Create the project when they are on the list.',
  memberNotAdded: 'The person in Project Team is not added yet: choose Add to the team, or empty the field.',
  createAgain:
    'What you wrote is still here. Correct it if the message says so, then choose Create project again: nothing is created twice.',

  team: 'Project Team',
  nobody: 'No team members yet.',
  failedToAdd: 'The team member was not added.',
  failedToRemove: 'The team member was not removed.',
  added: (name: string) => `${name} is on the team.`,
  removed: (name: string) => `${name} removed from the team.`,

  versions: 'Versions',
  loadingVersions: 'Loading versions',
  failedToLoadVersions: 'Failed to load versions',
  failedToLoadVersion: 'Failed to load this version',
  noVersion: 'This version is not kept',
  restore: 'Restore this version',
  restoreQuestion: (number: number) =>
    `This restores the texts, fields, media and team of version ${number}. The status stays as it is.`,
  restoreSafe: 'The present state stays in the list of versions, so you can restore it.',
  restored: (number: number) => `Version ${number} is restored.`,
  leftOut: (count: number) =>
    count === 1
      ? ' 1 picture is missing because its file is gone.'
      : ` ${count} pictures are missing because their files are gone.`,
  failedToRestore: 'Nothing was restored.',
} as const;
