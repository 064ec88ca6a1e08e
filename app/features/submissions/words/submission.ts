export const submissionWords = {
  pageTitle: 'Submit an Experiment',
  back: 'Back to Mad Experiments',
  viewAll: 'View all mad experiments',
  basics: 'Experiment Basics',
  title: 'Project Title',
  client: 'Client Name',
  clientHint: 'Leave it empty if the client is confidential.',
  category: 'Category',
  categoryHint: 'Where people will look for it.',
  tags: 'Tags',
  media: 'Experiment Media',
  onePicture: 'One picture or video',
  pickerHint: 'JPG, PNG, GIF up to 10MB',
  imageUrl: 'Image URL',
  youtubeEmbed: 'YouTube Embed',
  addByUrl: 'Add Media via URL',
  processing: 'Processing...',
  captionHint: 'Shown under the picture.',
  content: 'Experiment Content',
  brief: 'The Brief',
  briefHint: 'What was asked, by whom, and why.',
  understanding: 'Our Understanding',
  understandingHint: 'What the real problem turned out to be.',
  actions: 'What We Did',
  actionsHint: 'Which hands and which machines did what.',
  impact: 'The Impact',
  impactHint: 'What changed. Numbers if you have them.',
  credits: 'Credits',
  submit: 'Submit Experiment',
  submitting: 'Submitting...',
  submitted: 'Experiment Submitted Successfully!',
  submittedText: 'Your experiment has been submitted and will be available in our portfolio soon.',
  viewAllExperiments: 'View All Experiments',
  submitAnother: 'Submit Another',
  missing: (parts: string) => `Still to send: ${parts}.`,
  someTexts: 'some of the texts',
  missingKept: 'We have your title and brief; the rest is saved on this device.',
  sendRest: 'Send the rest',
  backToForm: 'Back to the form',
  sentAsGuest: 'Sent as a guest.',
  sentAsGuestHint: (account: string) => `It isn’t in your account (${account}) yet.`,
  yourAccount: 'the one you were signed in to',
  claim: 'Sign in and add it to your account',

  titleRequired: 'Project title is required',
  mediaRequired: 'At least one media item is required',
  briefRequired: 'Brief is required',
  understandingRequired: 'Understanding is required',
  actionsRequired: 'Actions taken are required',
  impactRequired: 'Impact description is required',
  contact: 'Where can we reach you?',
  contactHint:
    'Your email address, if we may write to you about this experiment. Only our reviewers see it, and we delete it once we’ve replied.',
  contactKnown: (email: string) => `If we have a question about this experiment, we write to ${email}.`,
  contactOdd: 'This does not look like an email address. Leave the field empty if you would rather not be written to.',
  contactName: 'Your email address',
  captionOf: (name: string) => `The caption of ${name}`,
  altOf: (name: string) => `The description of ${name}`,
  tooLong: (label: string, most: number) =>
    `${label} is too long: at most ${most} characters. Nothing was cut off; please shorten it.`,
  textTooLong: (label: string, most: number) =>
    `${label} is longer than ${most} KB. Nothing was cut off; please shorten it, or take pictures out of the text.`,
  tooManyTags: (count: number, most: number) =>
    `${count} tags are more than the ${most} that are kept. Remove ${count - most}, and nothing else is lost.`,
  tagTooLong: (tag: string, length: number, most: number) =>
    `The tag “${tag}” has ${length} characters; a tag has at most ${most}. Shorten it, and nothing else is lost.`,
  signedOut: 'Not sent: you are signed out.',
  submitFailed: 'Failed to submit experiment',
  processingFailed: 'Failed to process uploaded files',
  connectionLost: 'The connection was lost.',
  uploadFailedSilently: 'Upload failed with no error',
  noData: 'No data returned from API',
} as const;

export const noServiceAccount = (message: string) => `Could not get service account: ${message}`;

export const fileTooLarge = (name: string, size: string) =>
  `${name} was not added: it is ${size}, and a file may have 10 MB at most.`;

export const fileNotAPicture = (name: string) =>
  `${name} was not added: it is not a JPG, PNG, GIF, WebP or AVIF picture. Save it as one of these and choose it again.`;

export const filesSkipped = (count: number) =>
  `Skipped ${count === 1 ? '1 file that is not a picture' : `${count} files that are not pictures`}. Add a video by its YouTube or Vimeo address.`;
