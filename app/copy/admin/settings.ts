interface FieldWords {
  label: string;
  hint: string;
}

export const settingWords = {
  site_name: { label: 'Site name', hint: 'In the brand mark, and at the end of every page title.' },
  organisation: { label: 'Organisation', hint: 'The full name, in the legal pages and for search engines.' },
  email: {
    label: 'E-mail',
    hint: 'On the home page, in the footer and in the legal pages, as a link that writes to you.',
  },
  phone: { label: 'Phone', hint: 'On the home page, in the footer and in the legal pages, as a link that calls you.' },
  chat_number: {
    label: 'Chat number',
    hint: 'WhatsApp’s number behind the buttons of the masterclass: country code first, digits only.',
  },
  address: { label: 'Office address', hint: 'On the home page, in the footer and in the legal pages. One line each.' },
  city: { label: 'City', hint: 'City for legal jurisdiction (used in the terms).' },
  country: { label: 'Country', hint: 'Two letters, such as IN. For search engines.' },
  book_meeting: { label: 'Book a Mad Meet', hint: 'The calendar that opens from the foot of the home page.' },
  book_strategy_call: { label: 'Strategy call', hint: 'The calendar that opens from the services on the home page.' },
  application_form: { label: 'Application form', hint: 'Both buttons of Join The Collective.' },
  social: { label: 'Social links', hint: 'In the footer of every page, in this order.' },
  people: {
    label: 'People of the collective',
    hint: 'On About, in this order. Credits with the same name link to them there.',
  },
  teachers: {
    label: 'Teachers of the masterclass',
    hint: 'On the masterclass page. Without any, it describes the teachers without names.',
  },
  default_title: {
    label: 'Default title',
    hint: 'Of pages that have no title of their own, in the browser’s tab and in search results.',
  },
  default_description: {
    label: 'Default description',
    hint: 'Under the title in search results and link previews, on the home page and wherever a page has none of its own. 160 characters show.',
  },
  default_cover: {
    label: 'Default cover',
    hint: 'For experiments without a picture: an address with https://, or a path on this site such as /house-cover.svg.',
  },
  picture_hosts: {
    label: 'Picture hosts',
    hint: 'Sites whose addresses count as pictures even without an ending such as .jpg. One host to a line.',
  },
  masterclass: { label: 'Masterclass', hint: 'Everything on the masterclass page, for search engines too.' },
  analytics: {
    label: 'Count reading',
    hint: 'Counts on our own server which pages are read and how far, without cookies and without telling readers apart; while it is off, nothing about reading leaves the reader’s browser.',
  },
  admins_need_second_factor: {
    label: 'Admins need a second factor',
    hint: 'Besides their password, admins show a code from their phone when they sign in. Admins without one set it up in their account; until then the admin area is closed to them.',
  },
  publishing_needs_checks: {
    label: 'Publish only what is in order',
    hint: 'A submission cannot be published while the list on the review desk names something that could be better: a picture that does not say what it shows, a skipped heading, a link without words. The database refuses pictures that say nothing from everywhere, also from the status menus.',
  },
  contact_message_days: {
    label: 'Keep messages for',
    hint: 'In days. Messages from the contact card that are older are deleted for good.',
  },
  submitter_address_days: {
    label: 'Keep submitters’ addresses for',
    hint: 'In days after your answer. E-mail addresses that people left with a submission are deleted then; those of accounts stay with the account.',
  },
  unallocated_share_to: {
    label: 'The unallocated 10% goes to',
    hint: 'The collective’s terms name who gets 90% of a project’s profit and say nothing about the rest. Write down what the collective has decided, such as “the company pool” or a name. Until then split sheets can be prepared and not issued. Everybody can read it, like all settings.',
  },
} as const satisfies Record<string, FieldWords>;

export const masterclassFieldWords = {
  first: 'First day',
  second: 'Second day',
  from: 'From',
  to: 'To',
  utcOffset: 'Time zone',
  city: 'City',
  seats: 'Seats',
  perQuarter: 'Masterclasses per quarter',
  standardFee: 'Standard fee',
  memberFee: 'Member rate',
  saving: 'Saves up to this much time and cost, in percent',
} as const;

export const settingsScreen = {
  intro: 'What the site says about the agency. Changes go live at once.',
  examples: (names: string) =>
    `The site shows example contact details that lead nowhere: ${names}. Replace them so that visitors can reach you.`,
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
  failedToSave: 'The service gave no answer.',
  whatNow: 'What you typed is still here. Try again in a moment; if it goes on, reload the page and sign in again.',
  partly: (names: string) => `Saved already: ${names}.`,
  checkFields: 'Nothing was saved yet. Look at what is marked.',
  meanwhile: (names: string) =>
    `Someone else changed this while you were here: ${names}. Nothing of yours was saved. Compare what is marked, then save again to replace theirs.`,
  theirs: 'Saved by someone else:',
  useTheirs: 'Use theirs',
  notAllowed: 'Your account may not change settings any more. Ask another admin.',
  doesNotFit: 'The stored value isn’t valid, so the site shows the built-in value.',
  over: 'These dates are past: the page says that this masterclass has been, and sells nothing.',
  notAsWritten:
    'The programme and the text about the seats are written for five seats, 2:30 PM to 7:00 PM, and stay so: ask your developer to rewrite them.',
  searchResult: 'A page without words of its own, as a search result',
  linkPreview: 'The same page as a shared link; the picture is redrawn when you save',
  factorFirst:
    'Switch this on while you are signed in with your own second factor, so that you cannot lock yourself out.',
  portrait:
    'A square picture, or nothing: an address with https://, or a path on this site such as /storage/v1/object/public/….',
  record: 'Up to three facts, one to a line.',
  setUpFactor: 'Set up your second factor',
  messagesPrivacy:
    'The built-in privacy policy says these times by itself; if you have written your own, it has to say them too.',
  countingPrivacy: 'The built-in privacy policy says so; if you have written your own, it has to say so too.',
  server:
    'Set on the server, in its environment; .env.example explains each. Secrets are never shown, here or anywhere.',
} as const;

export const settingsHistory = {
  title: 'History',
  intro:
    'The newest hundred changes of each setting and legal text. An earlier value goes into the form first: look at it there, then save.',
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
  intro: 'Your own text takes the place of the built-in one. Headings of the first two levels become the contents.',
  places: 'These are filled in from the settings wherever you write them:',
  isBuiltIn: 'Using the built-in text.',
  isOwn: 'Using your own text.',
  changed: 'Last changed',
  preview: 'Preview',
  save: 'Save Text',
  saving: 'Saving...',
  saved: 'Saved, with today as the day of its last change.',
  empty: 'Please write something here, or use the built-in text again.',
  reset: 'Use the built-in text again',
  resetTitle: 'Use the built-in text again?',
  resetQuestion: (title: string) =>
    `Your own text of “${title}” leaves the site. The history keeps it, so that you can put it back.`,
  resetConfirm: 'Delete My Text',
  resetDone: 'Using the built-in text again.',
  discard: 'Discard changes',
  meanwhile:
    'Someone else changed this text while you were here. Nothing of yours was saved. Compare it with the page, then save again to replace theirs.',
} as const;
