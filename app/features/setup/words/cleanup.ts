export const cleanupWords = {
  title: 'Database Cleanup Utility',
  confirmation: 'DELETE ALL',
  errors: {
    project_media: (reason: string) => `Error deleting media: ${reason}`,
    case_study_metadata: (reason: string) => `Error deleting metadata: ${reason}`,
    project_members: (reason: string) => `Error deleting members: ${reason}`,
    projects: (reason: string) => `Error deleting projects: ${reason}`,
  },
  restoring: {
    partly: (done: number, all: number) => `Partly restored: ${done} of ${all} case studies.`,
  },
} as const;
