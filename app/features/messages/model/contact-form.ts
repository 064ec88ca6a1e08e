import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from '#lib/data/api-error.ts';
import { isEmail } from '#lib/data/email.ts';
import { lengthOf, MAX_LINE_LENGTH, MAX_MESSAGE_LENGTH } from '#lib/data/limits.ts';
import { requireChange } from '#lib/data/rows.ts';
import { contact } from '../words/contact.ts';

/** A person needs longer than this to fill in the form, in ms. */
const MIN_TYPING_MS = 3_000;

export type ContactMessage = { name: string; email: string; message: string };

export type ContactErrors = Partial<Record<keyof ContactMessage, string>>;

export const emptyMessage: ContactMessage = { name: '', email: '', message: '' };

const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The typed message as stored: trimmed, with plain line ends. */
export const messageIn = (fields: URLSearchParams): ContactMessage => ({
  name: (fields.get('name') ?? '').replace(LINE_BREAKS, ' ').trim(),
  email: (fields.get('email') ?? '').trim(),
  message: (fields.get('message') ?? '').replace(/\r\n?/g, '\n').replaceAll('\0', '').trim(),
});

export function errorsIn({ name, email, message }: ContactMessage): ContactErrors {
  const errors: ContactErrors = {};
  const characters = lengthOf(message);
  if (characters === 0) errors.message = contact.missingMessage;
  else if (characters > MAX_MESSAGE_LENGTH) errors.message = contact.longMessage(characters.toLocaleString('en'));
  if (!name) errors.name = contact.missingName;
  else if (lengthOf(name) > MAX_LINE_LENGTH) errors.name = contact.longName;
  if (!isEmail(email)) errors.email = contact.badEmail;
  return errors;
}

/** @param opened time of opening the form, in ms since 1970; an invalid value passes the check */
export function isTooQuick(opened: string | null, now: number): boolean {
  const elapsed = now - Number(opened || Number.NaN);
  return elapsed >= 0 && elapsed < MIN_TYPING_MS;
}

export const sendMessage = (data: PostgrestClient, { name, email, message }: ContactMessage): Promise<void> =>
  requireChange(data.rpc('send_message', { p_name: name, p_email: email, p_message: message }));

export const isTooMany = (error: unknown): boolean => error instanceof ApiError && error.code === 'PT429';
