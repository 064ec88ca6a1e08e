import type { PostgrestClient } from '@supabase/postgrest-js';
import { rows } from '#lib/data/rows.ts';

export type ReviewState = 'unfinished' | 'waiting' | 'changed' | 'changes_requested' | 'declined' | 'published';

export interface DraftState {
  project_id: string;
  state: ReviewState;
  words: string | null;
  answered_at: string | null;
  readable_until: string | null;
  claimable: boolean;
}

export const findDraftStates = async (data: PostgrestClient, ids: string[]): Promise<DraftState[]> =>
  ids.length === 0 ? [] : rows(data.rpc('draft_states', { p_projects: ids }));
