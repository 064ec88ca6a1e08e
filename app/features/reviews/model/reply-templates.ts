import type { PostgrestClient } from '@supabase/postgrest-js';
import { requireChange, rows } from '#lib/data/rows.ts';
import type { ReviewAnswer } from './review.ts';

export type WordedAnswer = Exclude<ReviewAnswer, 'reopen'>;

export type ReplyTemplate = { id: string; answer: WordedAnswer; name: string; body: string };

export type ReplyFields = Pick<ReplyTemplate, 'answer' | 'name' | 'body'>;

export type ReplyFacts = Record<'title' | 'client' | 'site' | 'me', string>;

export const fillIn = (body: string, facts: ReplyFacts): string =>
  body.replace(/\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(facts, name) ? facts[name as keyof ReplyFacts] : written,
  );

export const withReply = (said: string, reply: string) => (said.trim() ? `${said.trimEnd()}\n\n${reply}` : reply);

export const checkReply = ({ name, body }: ReplyFields): Partial<Record<'name' | 'body', string>> => ({
  ...(name.trim() === '' && { name: 'Give it a name, such as “Not for us”.' }),
  ...(body.trim() === '' && { body: 'Write a few words, please.' }),
});

export const listReplies = (data: PostgrestClient): Promise<ReplyTemplate[]> =>
  rows(data.from('reply_templates').select('id,answer,name,body').order('answer').order('name'));

export async function saveReply(data: PostgrestClient, fields: ReplyFields, id: string | null): Promise<void> {
  const { answer, name, body } = fields;
  const row = { answer, name: name.trim(), body: body.trim() };
  const table = data.from('reply_templates');
  const change = id ? table.update(row, { count: 'exact' }).eq('id', id) : table.insert(row, { count: 'exact' });
  await requireChange(change, 'This reply no longer exists, or you may not change it.');
}

export function deleteReply(data: PostgrestClient, id: string): Promise<void> {
  const deletion = data.from('reply_templates').delete({ count: 'exact' }).eq('id', id);
  return requireChange(deletion, 'Nothing was deleted: this reply no longer exists.');
}
