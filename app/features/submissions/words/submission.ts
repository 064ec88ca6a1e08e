export const submissionWords = {
  pageTitle: 'Submit an Experiment',
  title: 'Project Title',
  client: 'Client Name',
  brief: 'The Brief',
  understanding: 'Our Understanding',
  actions: 'What We Did',
  impact: 'The Impact',
  processingFailed: 'Failed to process uploaded files',
  connectionLost: 'The connection was lost.',
  uploadFailedSilently: 'Upload failed with no error',
  noData: 'No data returned from API',
} as const;
