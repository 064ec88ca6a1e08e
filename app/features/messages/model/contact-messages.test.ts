import { expect, it } from 'vitest';
import { type ReceivedMessage, replyLink } from './contact-messages.ts';

const stored = { id: '1', created_at: '2026-11-21T10:00:00Z', handled: false, mailed_at: null, started_project: null };
const sender = { name: 'Asha & Co', email: 'asha+mad@example.com' };
const letter: ReceivedMessage = { ...stored, ...sender, message: 'One?\nTwo&body=three' };

it('addresses the reply to the sender alone, whatever the message contains', () => {
  const link = new URL(replyLink(letter, 'Madhouse'));
  expect(decodeURIComponent(link.pathname)).toBe('asha+mad@example.com');
  const body = 'Hello Asha & Co,\r\n\r\n\r\n\r\n> One?\r\n> Two&body=three';
  expect(Object.fromEntries(link.searchParams)).toEqual({ subject: 'Your message to Madhouse', body });
  const cut = replyLink({ ...letter, message: `${'x'.repeat(999)}😀` }, 'Madhouse');
  expect(new URL(cut).searchParams.get('body')).toContain('x'.repeat(999));
  const sly = new URL(replyLink({ ...letter, email: 'a?bcc=b@example.com' }, 'Madhouse'));
  expect(sly.searchParams.has('bcc')).toBe(false);
});
