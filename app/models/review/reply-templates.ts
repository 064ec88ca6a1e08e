import type { PostgrestClient } from '@supabase/postgrest-js';
import { affected, rows } from '../data/rows.ts';
import type { ReviewAnswer } from './review.ts';

/** Answers that carry words. */
export type WordedAnswer = Exclude<ReviewAnswer, 'reopen'>;

/** A reply that admins put into an answer, with places that are filled in then. */
export interface ReplyTemplate {
  id: string;
  answer: WordedAnswer;
  name: string;
  body: string;
}

export type ReplyFields = Pick<ReplyTemplate, 'answer' | 'name' | 'body'>;

/** What can stand in braces in a reply, and is filled in when it is put into an answer. */
export const PLACES = ['title', 'client', 'site', 'me'] as const;
export type ReplyFacts = Record<(typeof PLACES)[number], string>;

/** A reply with its places filled in; what is no place of ours stays as it is written. */
export const filledIn = (body: string, facts: ReplyFacts): string =>
  body.replace(/\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(facts, name) ? facts[name as keyof ReplyFacts] : written,
  );

/** What is said already, and the reply below it. */
export const withReply = (said: string, reply: string): string =>
  said.trim() === '' ? reply : `${said.trimEnd()}\n\n${reply}`;

/** What is wrong with a reply, by field; empty when it can be saved. */
export function checkReply({ name, body }: ReplyFields): Partial<Record<'name' | 'body', string>> {
  return {
    ...(name.trim() === '' && { name: 'Give it a name, such as “Not for us”.' }),
    ...(body.trim() === '' && { body: 'Write a few words, please.' }),
  };
}

const COLUMNS = 'id,answer,name,body';

/** All replies, by answer and name. @throws ApiError */
export async function listReplies(data: PostgrestClient): Promise<ReplyTemplate[]> {
  return rows(data.from('reply_templates').select(COLUMNS).order('answer').order('name'));
}

/** Saves a reply: a new one without `id`. @throws ApiError also when it is gone */
export async function saveReply(data: PostgrestClient, fields: ReplyFields, id: string | null): Promise<void> {
  const { answer, name, body } = fields;
  const row = { answer, name: name.trim(), body: body.trim() };
  const table = data.from('reply_templates');
  await affected(
    id ? table.update(row, { count: 'exact' }).eq('id', id) : table.insert(row, { count: 'exact' }),
    'This reply is not there any more, or you may not change it.',
  );
}

/** @throws ApiError also when it is gone already */
export async function deleteReply(data: PostgrestClient, id: string): Promise<void> {
  await affected(
    data.from('reply_templates').delete({ count: 'exact' }).eq('id', id),
    'Nothing was deleted: this reply is gone already.',
  );
}
