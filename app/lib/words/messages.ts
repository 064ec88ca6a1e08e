/** The specification fixes these sentences verbatim. */
export const messages = {
  failedToLoadExperiments: 'Failed to load mad experiments',
  failedToDeleteExperiment: 'Failed to delete experiment',
  errorLoadingExperiment: 'Error Loading Experiment',
  experimentNotFound: 'Experiment not found',
  backToExperiments: 'Back to Mad Experiments',
  deleteTitle: 'Delete Experiment?',
  restorableFor: (days: number) =>
    `For ${days === 1 ? 'one day' : `${days} days`} an admin can restore it from the trash.`,
  deleteConfirm: 'Delete Permanently',
  deleting: 'Deleting...',
  anErrorOccurred: 'An error occurred',
  unknownError: 'Unknown error occurred',
  failedToLoadProjects: 'Failed to load projects',
  failedToLoadProject: 'Failed to load project',
  uploadFailedSilently: 'Upload failed with no error',
  failedToCreateAccount: 'Failed to create user account',
} as const;
