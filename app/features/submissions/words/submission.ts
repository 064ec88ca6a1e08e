export const submissionWords = {
  pageTitle: 'Submit an Experiment',
  title: 'Project Title',
  client: 'Client Name',
  brief: 'The Brief',
  understanding: 'Our Understanding',
  actions: 'What We Did',
  impact: 'The Impact',
  captionOf: (name: string) => `The caption of ${name}`,
  altOf: (name: string) => `The description of ${name}`,
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
  count === 1 ? 'Skipped 1 file that is not a picture.' : `Skipped ${count} files that are not pictures.`;
