import { expect, it } from 'vitest';
import { type ReceivedMessage, replyLink } from './contact-messages.ts';

const letter: ReceivedMessage = {
  id: '1',
  name: 'Asha & Co',
  email: 'asha+mad@example.com',
  message: 'One?\nTwo&body=three',
  handled: false,
  created_at: '2026-11-21T10:00:00Z',
  mailed_at: null,
  started_project: null,
};

it('addresses the reply to the sender alone, whatever the message contains', () => {
  const link = new URL(replyLink(letter, 'Madhouse'));
  expect(decodeURIComponent(link.pathname)).toBe('asha+mad@example.com');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    subject: 'Your message to Madhouse',
    body: 'Hello Asha & Co,\r\n\r\n\r\n\r\n> One?\r\n> Two&body=three',
  });
  const cut = replyLink({ ...letter, message: `${'x'.repeat(999)}😀` }, 'Madhouse');
  expect(new URL(cut).searchParams.get('body')).toContain('x'.repeat(999));
  const sly = new URL(replyLink({ ...letter, email: 'a?bcc=b@example.com' }, 'Madhouse'));
  expect(sly.searchParams.has('bcc')).toBe(false);
});
