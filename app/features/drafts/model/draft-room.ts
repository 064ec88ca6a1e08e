import type { PostgrestClient } from '@supabase/postgrest-js';
import { numberedName } from '#features/media/model/titles.ts';
import type { Project } from '#features/projects/model/read.ts';
import { TEXTS } from '#features/submissions/model/submission.ts';
import { submissionWords } from '#features/submissions/words/submission.ts';
import { readOne, requireChange } from '#lib/data/rows.ts';
import type { Procedures } from './draft-links.ts';

export interface DraftComment {
  id: string;
  /** `whole`, a section of `TEXTS`, or the id of a picture. */
  place: string;
  parent: string | null;
  body: string;
  client: string;
  by_team: boolean;
  author: string | null;
  created_at: string;
  resolved_at: string | null;
}

export interface DraftRoom {
  version: string;
  approves: boolean;
  comments: DraftComment[];
  approvals: { client: string; created_at: string; current: boolean }[];
}

export type CommentThread = DraftComment & { answers: DraftComment[] };

/** Made once for each text, so that a repeated call adds nothing. */
export type NewComment = Pick<DraftComment, 'id' | 'place' | 'parent' | 'body'>;

export const findDraftRoom = (data: PostgrestClient, project: string): Promise<DraftRoom | null> =>
  readOne(data.rpc('draft_room', { p_project: project }, { get: true }));

export const addComment = (data: Procedures, project: string, { id, place, parent, body }: NewComment): Promise<void> =>
  requireChange(
    data.rpc('comment_on_draft', { p_project: project, p_body: body, p_place: place, p_parent: parent, p_id: id }),
  );

export const resolveComment = (data: Procedures, comment: string, resolved: boolean): Promise<void> =>
  requireChange(data.rpc('resolve_draft_comment', { p_comment: comment, p_resolved: resolved }));

/** @param version as it was read; null withdraws the approval */
export const approveDraft = (data: Procedures, project: string, version: string | null): Promise<void> =>
  requireChange(data.rpc('approve_draft', { p_project: project, p_version: version }));

export const deleteComment = (data: Procedures, comment: string): Promise<void> =>
  requireChange(data.rpc('delete_draft_comment', { p_comment: comment }));

export const threadsOf = (comments: readonly DraftComment[]): CommentThread[] =>
  comments
    .filter(({ parent }) => parent === null)
    .map((comment) => ({ ...comment, answers: comments.filter(({ parent }) => parent === comment.id) }));

export function placeName(place: string, media: Project['project_media']): string {
  if (place === 'whole') return 'In general';
  const section = TEXTS.find((text) => text === place);
  if (section) return submissionWords[section];
  const at = media.findIndex(({ id }) => id === place);
  return media[at] ? numberedName(media[at], at) : 'A picture that was removed';
}
