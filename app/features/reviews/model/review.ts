import type { PostgrestClient } from '@supabase/postgrest-js';
import type { ReviewState } from '#features/drafts/model/draft-state.ts';
import { findAuthor, findProject, type Project } from '#features/projects/model/read.ts';
import { REVIEW_TURN } from '#features/projects/model/status.ts';
import { isUuid } from '#lib/data/ids.ts';
import { choiceParam, listParams, pageParam, type QuestionOf } from '#lib/data/list-params.ts';
import { readPage } from '#lib/data/page.ts';
import { first, readOne, requireChange, rows } from '#lib/data/rows.ts';
import type { UserName } from '#lib/data/user-name.ts';
import type { DraftContent } from './changes.ts';

export type ReviewAnswer = 'publish' | 'ask' | 'decline' | 'reopen';

export interface InboxEntry {
  project_id: string;
  state: ReviewState;
  turn: number;
  arrived_at: string;
  assignee: Admin | null;
  project: { title: string; client: string | null; open_comments: number };
}

type Admin = UserName & { user_id: string };

export interface Review {
  project_id: string;
  state: ReviewState;
  arrived_at: string;
  answered_at: string | null;
  rights_cleared: boolean;
  client_agreed: boolean;
  assignee: string | null;
  before: DraftContent | null;
}

export interface ReviewStep {
  id: string;
  kind: 'changes_requested' | 'sent_back' | 'declined' | 'published' | 'reopened' | 'link';
  words: string | null;
  given_at: string;
  by: UserName | null;
  mail_to: string | null;
  mailed_at: string | null;
}

export type ReviewNote = { id: string; body: string; created_at: string; author: string | null; by: UserName | null };

export interface SubmissionReview {
  experiment: Project;
  review: Review;
  steps: ReviewStep[];
  notes: ReviewNote[];
  /** Contact address of the submitter; null when unknown. */
  address: string | null;
  /** Version that an answer must name, so that an outdated view cannot be answered. */
  seen: string;
}

export type InboxFilter = keyof typeof REVIEW_TURN;

export const inboxParams = listParams({
  show: choiceParam(Object.keys(REVIEW_TURN) as InboxFilter[]),
  mine: { read: (text) => text === '1', write: (is: boolean) => (is ? '1' : '') },
  page: pageParam,
});
export type Inbox = QuestionOf<typeof inboxParams>;

export type InboxQuestion = { show: InboxFilter | null; of: string | null };

// An incomplete submission is listed two hours after its creation, by the database's clock.
const NOW = 'now';

export interface ReviewCount {
  reviews: number;
  /** False when more exist than were counted. */
  exact: boolean;
}

export const countText = ({ reviews, exact }: ReviewCount): string => reviews.toLocaleString('en') + (exact ? '' : '+');

const EMBEDS = 'assignee:profiles!assignee(user_id,name,email),project:projects!inner(title,client,open_comments)';

/** Sorted by state (waiting, changes requested, incomplete, declined), then oldest first. @throws ApiError */
export async function readInbox(data: PostgrestClient, page: number, question: InboxQuestion) {
  const { show, of } = question;
  const counting = countSubmissions(data, question);
  const entries = await readPage<InboxEntry>(async (from, to) => {
    const arrived = data.from('reviews').select(`project_id,state,turn,arrived_at,${EMBEDS}`).lte('arrived_at', NOW);
    const query = arrived.order('turn').order('arrived_at').order('project_id').range(from, to);
    const filtered = show ? query.eq('turn', REVIEW_TURN[show]) : query.lt('turn', REVIEW_TURN.published);
    const [rows, { reviews }] = await Promise.all([of ? filtered.eq('assignee', of) : filtered, counting]);
    return { ...rows, count: reviews };
  }, page);
  return { ...entries, count: await counting };
}

export function countSubmissions(data: PostgrestClient, { show, of }: InboxQuestion): Promise<ReviewCount> {
  const filters = { ...(show && { p_turn: REVIEW_TURN[show] }), ...(of && { p_assignee: of }) };
  return readOne(data.rpc('count_reviews', filters, { get: true }).single());
}

const waitingIn = (data: PostgrestClient) =>
  data.from('reviews').select('project_id,arrived_at').eq('turn', REVIEW_TURN.waiting).lte('arrived_at', NOW);

export async function findOldestWaiting(data: PostgrestClient): Promise<string | null> {
  const oldest = await first<InboxEntry>(waitingIn(data).order('arrived_at').limit(1));
  return oldest?.arrived_at ?? null;
}

/** @param of id of the admin whose submissions are searched. @throws ApiError */
export function findNextWaiting(data: PostgrestClient, answered: string, of: string | null) {
  const others = waitingIn(data).neq('project_id', answered);
  const waiting = of ? others.eq('assignee', of) : others;
  return first<{ project_id: string }>(waiting.order('arrived_at').order('project_id').limit(1));
}

/** A submission with its review data; null when there is none. @throws ApiError */
export async function findSubmission(data: PostgrestClient, id: string): Promise<SubmissionReview | null> {
  if (!isUuid(id)) return null;
  // Read first: a change during the other reads must make the answer fail.
  const version = await readOne<string>(data.rpc('review_version', { p_project: id }));
  const readTable = (table: string, columns: string) => data.from(table).select(columns).eq('project_id', id);
  const by = 'by:profiles(name,email)';
  const [experiment, reviews, steps, notes, author] = await Promise.all([
    findProject(data, id),
    rows<Review>(
      readTable('reviews', 'project_id,state,arrived_at,answered_at,rights_cleared,client_agreed,assignee,before'),
    ),
    rows<ReviewStep>(readTable('review_steps', `id,kind,words,given_at,mail_to,mailed_at,${by}`).order('given_at')),
    rows<ReviewNote>(readTable('review_notes', `id,body,created_at,author,${by}`).order('created_at').limit(1000)),
    findAuthor(data, id),
  ]);
  const [review] = reviews;
  if (!experiment || !review || !author) return null;
  return { experiment, review, steps, notes, address: author.address, seen: version };
}

/** @returns the mailed address, or null. @throws ApiError also when the submission changed since it was read */
export function answer(
  data: PostgrestClient,
  { id, what, words, mail, seen }: { id: string; what: ReviewAnswer; words: string; mail: boolean; seen: string },
): Promise<{ mail_to: string | null }> {
  const args = { p_project: id, p_answer: what, p_words: words.trim() || null, p_mail: mail, p_seen: seen };
  return readOne(data.rpc('answer_review', args));
}

type Ticks = Partial<Pick<Review, 'rights_cleared' | 'client_agreed' | 'assignee'>>;

export function tickCheck(data: PostgrestClient, id: string, ticks: Ticks): Promise<void> {
  const change = data.from('reviews').update(ticks, { count: 'exact' }).eq('project_id', id);
  return requireChange(change, 'The submission no longer exists, or you may not change it.');
}

export function listAdmins(data: PostgrestClient): Promise<Admin[]> {
  const profiles = data.from('profiles').select('user_id,name,email,user_roles!inner(roles!inner(name))');
  return rows(profiles.in('user_roles.roles.name', ['admin', 'editor']).order('name').order('email'));
}

export const addNote = (data: PostgrestClient, id: string, body: string): Promise<void> =>
  requireChange(data.from('review_notes').insert({ project_id: id, body: body.trim() }));

/** @throws ApiError also when the note is missing or another admin's */
export function removeNote(data: PostgrestClient, noteId: string): Promise<void> {
  const removal = data.from('review_notes').delete({ count: 'exact' }).eq('id', noteId);
  return requireChange(removal, 'Nothing was removed: the note no longer exists, or someone else wrote it.');
}

export const mailDraftLink = (data: PostgrestClient, id: string): Promise<{ mail_to: string }> =>
  readOne(data.rpc('mail_draft_link', { p_project: id }));
