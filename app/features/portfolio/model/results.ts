import type { PostgrestClient } from '@supabase/postgrest-js';
import { readOne } from '#lib/data/rows.ts';

export interface Results {
  published: number;
  completed: number;
  media: number;
  /** Experiments with credits: their number and average hand share. */
  credited: { experiments: number; hand: number } | null;
}

export async function countResults(client: PostgrestClient): Promise<Results> {
  const query = client.rpc('count_results', {}, { get: true }).single();
  const { credited, hand_share, ...counts } = await readOne<Counted>(query);
  return { ...counts, credited: hand_share === null ? null : { experiments: credited, hand: hand_share } };
}

type Counted = Omit<Results, 'credited'> & { credited: number; hand_share: number | null };
