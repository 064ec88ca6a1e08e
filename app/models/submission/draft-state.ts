import type { PostgrestClient } from '@supabase/postgrest-js';
import { rows } from '../data/rows.ts';

export type ReviewState = 'waiting' | 'changed' | 'asked' | 'declined' | 'published';

/** How the review of a draft stands, as its submitter is told. */
export interface DraftState {
  project_id: string;
  state: ReviewState;
  /** What was asked for, or why it was declined. */
  words: string | null;
  answered_at: string | null;
  /** Only of a declined one. */
  readable_until: string | null;
  /** True while it is in nobody's account. */
  claimable: boolean;
}

/** The states of the drafts that the caller holds; nothing of any other. At most 100. @throws ApiError */
export async function findDraftStates(data: PostgrestClient, ids: string[]): Promise<DraftState[]> {
  if (ids.length === 0) return [];
  return rows(data.rpc('draft_states', { p_projects: ids }));
}
