import type { PostgrestClient } from '@supabase/postgrest-js';
import { anyContains, readPage } from '#lib/data/page.ts';
import { readCount, readOne, requireChange } from '#lib/data/rows.ts';
import type { ContactMessage } from './contact-form.ts';

export interface ReceivedMessage extends ContactMessage {
  id: string;
  handled: boolean;
  created_at: string;
  mailed_at: string | null;
  started_project: { id: string; title: string; deleted: boolean } | null;
}

const MESSAGE = 'id,name,email,message,handled,created_at,mailed_at,started_project';
const NOT_CHANGED = 'The message no longer exists, or you may not change it.';
const NOT_DELETED = 'Nothing was deleted: it no longer exists, or you may not delete it.';

type MessageQuestion = { page: number; search?: string; state?: 'new' | null };

export const readMessages = (data: PostgrestClient, { page, search = '', state = null }: MessageQuestion) =>
  readPage<ReceivedMessage>((from, to) => {
    let found = data.from('contact_messages').select(MESSAGE, { count: 'exact' });
    if (state) found = found.eq('handled', false);
    if (search) found = found.or(anyContains(['name', 'email'], search));
    return found.order('created_at', { ascending: false }).order('id').range(from, to);
  }, page);

export const countUnhandled = (data: PostgrestClient): Promise<number> =>
  readCount(data.from('contact_messages').select('id', { count: 'exact', head: true }).eq('handled', false));

/** @throws ApiError also when the row is missing or the caller lacks the right */
export const setHandled = (data: PostgrestClient, { id, handled }: Pick<ReceivedMessage, 'id' | 'handled'>) =>
  requireChange(data.from('contact_messages').update({ handled }, { count: 'exact' }).eq('id', id), NOT_CHANGED);

export const startProject = (data: PostgrestClient, message: string): Promise<string> =>
  readOne(data.rpc('start_project', { p_message: message }));

/** @throws ApiError also when nothing was deleted, because the row is missing or the caller lacks the right */
export const deleteMessage = (data: PostgrestClient, id: string): Promise<void> =>
  requireChange(data.from('contact_messages').delete({ count: 'exact' }).eq('id', id), NOT_DELETED);

export function replyLink({ name, email, message }: ReceivedMessage, siteName: string): string {
  const lines = message.slice(0, 1000).toWellFormed().split('\n');
  const quoted = lines.map((line) => `> ${line}`).join('\n');
  const fields = { subject: `Your message to ${siteName}`, body: `Hello ${name},\n\n\n\n${quoted}` };
  const encoded = (text: string) => encodeURIComponent(text.replaceAll('\n', '\r\n'));
  const query = Object.entries(fields).map(([field, text]) => `${field}=${encoded(text)}`);
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${query.join('&')}`;
}
