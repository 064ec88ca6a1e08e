/** Words of the admin area; what the specification fixes stands word for word. */
export const admin = {
  title: 'MAD Admin',
  loading: 'Loading...',
  verifying: 'Verifying admin permissions...',
  error: (message: string) => `Error: ${message}`,
  denied: 'Access Denied: Your account does not have admin privileges required to access this area.',
  noExperiments: 'No experiments found.',
  noProjects: 'No projects yet. Click "New Project" to create one.',
  projectNotFound: 'Project not found',
  failedToCreateProject: 'Failed to create project',
  failedToUpdateProject: 'Failed to update project',
  failedToDeleteProject: 'Failed to delete project',
  failedToDeleteMedia: 'Failed to delete media',
  failedToAddMedia: 'Failed to add media',
  deleteProjectQuestion: 'Are you sure you want to delete this project?',
  deleteMediaQuestion: 'Are you sure you want to delete this media item?',
  failedToLoadExperiments: 'Failed to load experiments',
  experimentDeleted: 'Experiment successfully deleted',
  deleteWarning: 'This action cannot be undone.',
} as const;

/** How long a success message stays, in ms; it waits while somebody points at it or is inside it. */
export const MESSAGE_STAYS = 3000;

/** The sidebar, in the specification's order. */
export const adminNavigation = [
  { label: 'Dashboard', href: '/admin' },
  { label: 'Projects', href: '/admin/projects' },
  { label: 'Case Studies', href: '/admin/case-studies' },
  { label: 'Users', href: '/admin/users' },
  { label: 'Settings', href: '/admin/settings' },
] as const;
