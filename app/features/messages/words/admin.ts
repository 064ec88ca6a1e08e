export const inbox = {
  title: 'Messages',
  fresh: 'New',
  handled: 'Handled',
  reply: 'Reply',
  markHandled: 'Mark as handled',
  start: 'Start a project',
  started: 'Project started',
  inTrash: 'in the trash',
  deleted: 'Message deleted',
  deleteTitle: 'Delete message?',
} as const;
