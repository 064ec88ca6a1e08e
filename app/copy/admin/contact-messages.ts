/** Words of the admin area's messages. */
export const inbox = {
  title: 'Messages',
  none: 'No messages yet. Messages from the contact form appear here.',
  waiting: (count: number) => `${count} waiting`,
  noneWaiting: 'No new messages.',
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
