/** Words of the cleanup page; what the specification fixes stands word for word. */
export const cleanupWords = {
  title: 'Database Cleanup Utility',
  button: 'Delete ALL Case Studies',
  confirmation: 'DELETE ALL',
  typeIt: 'Please type "DELETE ALL" to confirm deletion',
  /** By table. */
  errors: {
    project_media: (reason: string) => `Error deleting media: ${reason}`,
    case_study_metadata: (reason: string) => `Error deleting metadata: ${reason}`,
    project_members: (reason: string) => `Error deleting members: ${reason}`,
    projects: (reason: string) => `Error deleting projects: ${reason}`,
  },
  failedToRestore: 'Nothing was brought back. Try again in a moment.',
  failedToCount: 'What would go could not be counted.',
} as const;
