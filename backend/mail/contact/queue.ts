import { agencyMailbox, type RowQueue } from '../queue.ts';
import { type ContactMessage, letterFor } from './email.ts';

/** Messages of the contact form, mailed to the agency. */
export const contactMessages: RowQueue = {
  channel: 'contact_message',
  routine: 'private.unmailed_messages(uuid[])',
  async waiting(parts, refused) {
    const { rows } = await parts.db.query<ContactMessage>('select * from private.unmailed_messages($1)', [refused]);
    if (rows.length === 0) return [];
    const to = await agencyMailbox(parts);
    return rows.map((message) => ({ id: message.id, letter: async () => letterFor(message, to) }));
  },
  mailed: ({ db }, id) => db.query('select private.message_mailed($1)', [id]).then(() => {}),
};
