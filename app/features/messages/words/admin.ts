export const inbox = {
  title: 'Messages',
  fresh: 'New',
  handled: 'Handled',
  reply: 'Reply',
  markHandled: 'Mark as handled',
  deleted: 'Message deleted',
  deleteTitle: 'Delete Message?',
} as const;
