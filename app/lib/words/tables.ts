import { admin } from './admin.ts';
import { messages } from './messages.ts';

type RecordNoun = 'project' | 'experiment';

export const tables = {
  actions: 'Actions',
  search: 'Search title, description and client',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all on this page',
  selected: (count: number) => `${count} selected`,
  clear: 'Clear selection',
  more: 'More',
  moreFor: (title: string) => `More actions for ${title}`,
  saving: 'Saving...',
  publish: 'Publish',
  archive: 'Archive',
  delete: 'Delete',
  statusActions: {
    draft: 'Move to drafts',
    active: 'Mark as active',
    completed: 'Mark as completed',
    archived: 'Archive',
  },
  changed: {
    active: (count: number) => `${count} published.`,
    archived: (count: number) => `${count} archived.`,
  },
  refusedOf: (count: number, of: number) =>
    of === 1 ? 'Not changed.' : `${count} of ${of} not changed and still selected.`,
} as const;

export const deletion = {
  title: (as: RecordNoun, count: number) =>
    count > 1 ? `Delete ${count} ${as}s?` : as === 'project' ? 'Delete Project?' : messages.deleteTitle,
  question: (as: RecordNoun, count: number) =>
    count === 1 && as === 'project'
      ? admin.deleteProjectQuestion
      : `Are you sure you want to delete ${count > 1 ? `these ${as}s` : `this ${as}`}?`,
  failed: { project: admin.failedToDeleteProject, experiment: messages.failedToDeleteExperiment },
  done: (as: RecordNoun, count: number, of: number, title: string) => {
    if (count < of) return `${count} of ${of} are in the trash. The others had been deleted already.`;
    if (of > 1) return `${count} ${as}s are in the trash.`;
    return as === 'project' ? admin.projectDeleted(title) : admin.experimentDeleted;
  },
} as const;
