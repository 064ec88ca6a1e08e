import { agencyMailbox, type QueuedRows } from '../queue.ts';
import { type ContactMessage, emailFor } from './email.ts';

/** Messages of the contact form, mailed to the agency. */
export const contactMessages: QueuedRows = {
  channel: 'contact_message',
  routine: 'private.unmailed_messages(uuid[])',
  async waiting(context, refused) {
    const { rows } = await context.db.query<ContactMessage>('select * from private.unmailed_messages($1)', [refused]);
    if (rows.length === 0) return [];
    const to = await agencyMailbox(context);
    return rows.map((message) => ({ id: message.id, letter: async () => emailFor(message, to) }));
  },
  backlog:
    'select count(*)::int as waiting, min(created_at) as oldest from public.contact_messages where mailed_at is null',
  mailed: ({ db }, id) => db.query('select private.message_mailed($1)', [id]).then(() => {}),
};
