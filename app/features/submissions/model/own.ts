import type { PostgrestClient } from '@supabase/postgrest-js';
import { type DraftState, findDraftStates } from '#features/drafts/model/draft-state.ts';
import { readPage, type TablePage } from '#lib/data/page.ts';

export interface OwnExperiment {
  id: string;
  title: string;
  status: string;
  created_at: string;
  review: DraftState | null;
}

export async function readOwn(data: PostgrestClient, user: string, page: number): Promise<TablePage<OwnExperiment>> {
  const own = await readPage<Omit<OwnExperiment, 'review'>>(
    (from, to) =>
      data
        .from('projects')
        .select('id,title,status,created_at', { count: 'exact' })
        .eq('created_by', user)
        .order('created_at', { ascending: false })
        .order('id')
        .range(from, to),
    page,
  );
  const drafts = own.rows.filter(({ status }) => status === 'draft').map(({ id }) => id);
  const states = new Map((await findDraftStates(data, drafts)).map((state) => [state.project_id, state]));
  return { ...own, rows: own.rows.map((row) => ({ ...row, review: states.get(row.id) ?? null })) };
}
