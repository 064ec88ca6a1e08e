import { html } from 'hono/html';
import type { Letter } from '../index.ts';
import { oneLine } from '../template.ts';

export interface ContactMessage {
  id: string;
  created_at: Date;
  name: string;
  email: string;
  message: string;
}

const LONGEST_NAME = 80;

export function emailFor({ name, email, message, created_at }: ContactMessage, to: string): Letter {
  const who = oneLine(name).slice(0, LONGEST_NAME);
  const about = `${who} <${email}> wrote on ${created_at.toUTCString()}:`;
  return {
    to,
    subject: `Message from ${who}`,
    replyTo: { name: who, address: email },
    text: `${about}\n\n${message}\n`,
    html: String(html`<p>${about}</p><p style="white-space:pre-wrap">${message}</p>`),
  };
}
