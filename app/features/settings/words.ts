export const settingsScreen = {
  intro: 'What the site says about the agency. Changes go live at once.',
  examples: (names: string) =>
    `The site shows example contact details that lead nowhere: ${names}. Replace them so that visitors can reach you.`,
  search: 'Search settings',
  clearSearch: 'Clear',
  found: (count: number) => (count === 1 ? '1 match' : `${count} matches`),
  noneFound: (search: string) => `No setting matches “${search}”.`,
  seeIt: 'See it on the site',
  builtIn: 'Built in:',
  backToBuiltIn: 'Back to the built-in value',
  unsaved: 'Not saved yet',
  saved: 'Saved. The site shows it from now on.',
  nothingToSave: 'Everything is saved.',
  save: 'Save Changes',
  saving: 'Saving...',
  discard: 'Discard changes',
  loading: 'Loading settings',
  failedToLoad: 'The settings could not be loaded.',
  failedToSave: 'The service did not respond.',
  whatNow:
    'What you typed is still here. Try again in a moment; if the error persists, reload the page and sign in again.',
  partly: (names: string) => `Saved already: ${names}.`,
  checkFields: 'Nothing was saved yet. Check the marked fields.',
  meanwhile: (names: string) =>
    `Someone else changed this while you were here: ${names}. Nothing of yours was saved. Compare the marked settings, then save again to replace theirs.`,
  theirs: 'Saved by someone else:',
  useTheirs: 'Use theirs',
  notAllowed: 'Your account can’t change settings any more. Ask another admin.',
  doesNotFit: 'The stored value isn’t valid, so the site shows the built-in value.',
  over: 'These dates are past: the page says that this masterclass is over, and sells nothing.',
  notAsWritten:
    'The programme and the text about the seats are written for five seats, 2:30 PM to 7:00 PM, and don’t change: ask your developer to rewrite them.',
  searchResult: 'A page without a title of its own, as a search result',
  linkPreview: 'The same page as a shared link; the picture is redrawn when you save',
  server:
    'Set in the server’s environment; .env.example explains each variable. Secrets are never shown.',
} as const;

export const settingsHistory = {
  title: 'History',
  intro:
    'The newest hundred changes of each setting and legal text. Restoring puts an earlier value into the form, where you can check and save it.',
  of: 'Changes of',
  all: 'Everything',
  loading: 'Loading the history',
  failed: 'The history could not be loaded.',
  none: 'No changes yet: the built-in values apply.',
  by: (who: string | null) => `changed by ${who ?? 'the server, or a deleted user'}`,
  before: 'Before',
  after: 'After',
  builtIn: 'the built-in value',
  nothing: 'nothing',
  on: 'on',
  off: 'off',
  take: 'Put the earlier value into the form',
  taken: (thing: string) => `The earlier value of “${thing}” is in the form. Save to apply it.`,
  noFit: 'The earlier value is no longer valid.',
  older: 'Show older changes',
} as const;

export const legalScreen = {
  about: 'Terms of Service and Privacy Policy. Your own text takes the place of the built-in one.',
  headings: 'The table of contents lists headings of the first two levels.',
  places: 'These are filled in from the settings wherever you write them:',
  isBuiltIn: 'Using the built-in text.',
  isOwn: 'Using your own text.',
  changed: 'Last changed',
  preview: 'Preview',
  save: 'Save text',
  saving: 'Saving...',
  saved: 'Saved, with today as the day of its last change.',
  empty: 'Please write something here, or use the built-in text again.',
  reset: 'Use the built-in text again',
  resetTitle: 'Use the built-in text again?',
  resetQuestion: (title: string) =>
    `The site stops showing your own text of “${title}”. The history keeps it, so you can restore it.`,
  resetConfirm: 'Delete my text',
  resetDone: 'Using the built-in text again.',
  discard: 'Discard changes',
  meanwhile:
    'Someone else changed this text while you were here. Nothing of yours was saved. Compare it with the page, then save again to replace theirs.',
} as const;
