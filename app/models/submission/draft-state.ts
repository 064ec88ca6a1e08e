import type { PostgrestClient } from '@supabase/postgrest-js';
import { rows } from '../data/rows.ts';

export type ReviewState = 'unfinished' | 'waiting' | 'changed' | 'asked' | 'declined' | 'published';

/** The review state of a draft, as its submitter sees it. */
export interface DraftState {
  project_id: string;
  state: ReviewState;
  /** Which changes were requested, or why it was declined. */
  words: string | null;
  answered_at: string | null;
  /** Only of a declined one. */
  readable_until: string | null;
  /** True until it belongs to an account. */
  claimable: boolean;
}

/** The states of the caller's drafts; no row for any other. At most 100. @throws ApiError */
export async function findDraftStates(data: PostgrestClient, ids: string[]): Promise<DraftState[]> {
  if (ids.length === 0) return [];
  return rows(data.rpc('draft_states', { p_projects: ids }));
}
