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
    bar: 'Bringing back',
    underway: (done: number, all: number) =>
      `${done} of ${all} case studies are back. If this page is closed, it resumes where it stopped.`,
    partly: (done: number, all: number) => `Partly restored: ${done} of ${all} case studies.`,
    goOn: 'Go on restoring',
  },
} as const;
