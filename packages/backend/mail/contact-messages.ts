import { html } from 'hono/html';
import { agencyMailbox } from './agency-mailbox.ts';
import type { Email, EmailSource } from './index.ts';
import { oneLine } from './template.ts';

interface ContactMessage {
  id: string;
  created_at: Date;
  name: string;
  email: string;
  message: string;
}

const MAX_NAME_LENGTH = 80;

export const contactMessages: EmailSource = {
  async email(context, id) {
    const { rows } = await context.db.query<ContactMessage>('select * from private.unmailed_message($1)', [id]);
    return rows[0] ? emailFor(rows[0], await agencyMailbox(context)) : null;
  },
  markSent: (id) => ({ text: 'select private.message_mailed($1)', values: [id] }),
};

function emailFor({ name, email, message, created_at }: ContactMessage, to: string): Email {
  const sender = oneLine(name).slice(0, MAX_NAME_LENGTH);
  const about = `${sender} <${email}> wrote on ${created_at.toUTCString()}:`;
  return {
    to,
    subject: `Message from ${sender}`,
    replyTo: { name: sender, address: email },
    text: `${about}\n\n${message}\n`,
    html: String(html`<p>${about}</p><p style="white-space:pre-wrap">${message}</p>`),
  };
}
