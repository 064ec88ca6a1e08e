/** Words of the admin area's messages. */
export const inbox = {
  title: 'Messages',
  none: 'No messages yet. Whatever is written on the contact card arrives here.',
  waiting: (count: number) => (count === 0 ? 'all answered' : count === 1 ? '1 waits' : `${count} wait`),
  fresh: 'New',
  handled: 'Handled',
  notMailed: 'Waits for the mail server',
  reply: 'Reply',
  markHandled: 'Mark as handled',
  markNew: 'Mark as new',
  deleted: 'Message deleted',
  deleteTitle: 'Delete Message?',
  deleteQuestion: 'It will be gone for good: messages are not kept in the trash.',
  failed: 'Failed to load messages',
  failedToChange: 'Failed to change the message',
  failedToDelete: 'Failed to delete the message',
} as const;
