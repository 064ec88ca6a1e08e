import { messages } from './messages.ts';

type RecordNoun = 'project' | 'experiment';

export const tables = {
  more: 'More',
  moreFor: (title: string) => `More actions for ${title}`,
  publish: 'Publish',
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
  failed: { project: 'Failed to delete project', experiment: messages.failedToDeleteExperiment },
  done: (as: RecordNoun, count: number, of: number, title: string) => {
    if (count < of) return `${count} of ${of} are in the trash. The others had been deleted already.`;
    if (of > 1) return `${count} ${as}s are in the trash.`;
    return as === 'project' ? `“${title}” is in the trash.` : 'Experiment successfully deleted';
  },
} as const;
