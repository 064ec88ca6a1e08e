import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from './api-error.ts';
import { PAGE_SIZE } from './experiment-table.ts';

const BEYOND_THE_END = 'PGRST103';

/** A message from the contact form, as admins read it. */
export interface Letter {
  id: string;
  name: string;
  email: string;
  message: string;
  handled: boolean;
  created_at: string;
  /** Null while the agency's mailbox has not got it. */
  mailed_at: string | null;
}

export interface InboxPage {
  rows: Letter[];
  /** On all pages. */
  total: number;
  /** The page that was read: the last one when the asked one lies beyond the end. */
  page: number;
}

/** Reads `?page=…`; what makes no sense is the first. */
export function pageFrom(address: URLSearchParams): number {
  const page = Number(address.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** One page of all messages, newest first. @throws ApiError */
export async function readInbox(data: PostgrestClient, page: number): Promise<InboxPage> {
  const from = (page - 1) * PAGE_SIZE;
  const {
    data: rows,
    error,
    count,
  } = await data
    .from('contact_messages')
    .select('id,name,email,message,handled,created_at,mailed_at', { count: 'exact' })
    .order('created_at', { ascending: false })
    .order('id')
    .range(from, from + PAGE_SIZE - 1);
  if (error && error.code !== BEYOND_THE_END) throw new ApiError(error.message, error.code);
  if (page > 1 && !rows?.length) {
    // The last message of the last page was deleted, or the address is old.
    const { total } = await readInbox(data, 1);
    return readInbox(data, Math.max(1, Math.ceil(total / PAGE_SIZE)));
  }
  return { rows: (rows ?? []) as Letter[], total: count ?? 0, page };
}

/** How many messages nobody has handled yet. @throws ApiError */
export async function countUnhandled(data: PostgrestClient): Promise<number> {
  const { count, error } = await data
    .from('contact_messages')
    .select('id', { count: 'exact', head: true })
    .eq('handled', false);
  if (error) throw new ApiError(error.message, error.code);
  return count ?? 0;
}

/** @throws ApiError also when it is gone, or the caller may not */
export async function setHandled(data: PostgrestClient, id: string, handled: boolean): Promise<void> {
  const { error, count } = await data.from('contact_messages').update({ handled }, { count: 'exact' }).eq('id', id);
  if (error) throw new ApiError(error.message, error.code);
  if (count === 0) throw new ApiError('The message is not there any more, or you may not change it.');
}

/** @throws ApiError also when nothing was deleted: it is gone already, or the caller may not */
export async function deleteLetter(data: PostgrestClient, id: string): Promise<void> {
  const { error, count } = await data.from('contact_messages').delete({ count: 'exact' }).eq('id', id);
  if (error) throw new ApiError(error.message, error.code);
  if (count === 0) throw new ApiError('Nothing was deleted: it is gone already, or you may not delete it.');
}

/** A new mail to the sender, with their words below the answer. */
export function replyLink({ name, email, message }: Letter, siteName: string): string {
  const quoted = message
    .slice(0, 1000)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const fields = { subject: `Your message to ${siteName}`, body: `Hello ${name},\n\n\n\n${quoted}` };
  const query = Object.entries(fields).map(
    ([field, text]) => `${field}=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`,
  );
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${query.join('&')}`;
}
