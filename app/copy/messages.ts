/** Sentences the specification fixes, word for word. */
export const messages = {
  failedToLoadExperiments: 'Failed to load mad experiments',
  failedToDeleteExperiment: 'Failed to delete experiment',
  noExperiments: 'No experiments found. Be the first to add one!',
  errorLoadingExperiment: 'Error Loading Experiment',
  experimentNotFound: 'Experiment not found',
  backToExperiments: 'Back to Mad Experiments',
  urlCopied: 'URL copied to clipboard!',
  noDescription: 'No description available',
  clientConfidential: 'Client confidential',
  deleteTitle: 'Delete Experiment?',
  deleteQuestion: 'Are you sure you want to delete this experiment? This action cannot be undone.',
  deleteConfirm: 'Delete Permanently',
  deleting: 'Deleting...',
  cancel: 'Cancel',

  noData: 'No data returned from API',
  anErrorOccurred: 'An error occurred',
  unexpectedErrorOccurred: 'An unexpected error occurred',
  unknownError: 'Unknown error occurred',
  failedToLoadProjects: 'Failed to load projects',
  failedToLoadProject: 'Failed to load project',
  uploadFailedSilently: 'Upload failed with no error',
  failedToVerifyAdmin: 'Failed to verify admin status',
  failedToCreateAccount: 'Failed to create user account',
} as const;

