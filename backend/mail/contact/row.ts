import { agencyMailbox } from '../agency-mailbox.ts';
import type { MailedRows } from '../index.ts';
import { type ContactMessage, emailFor } from './email.ts';

export const contactMessages: MailedRows = {
  async letter(context, id) {
    const { rows } = await context.db.query<ContactMessage>('select * from private.unmailed_message($1)', [id]);
    return rows[0] ? emailFor(rows[0], await agencyMailbox(context)) : null;
  },
  mailed: (id) => ({ text: 'select private.message_mailed($1)', values: [id] }),
};
