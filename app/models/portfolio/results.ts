import type { PostgrestClient } from '@supabase/postgrest-js';
import { one } from '../data/rows.ts';

/** What the portfolio holds for everybody to see. */
export interface Results {
  published: number;
  completed: number;
  /** Pictures and videos of published experiments. */
  media: number;
  /** What the experiments say that say who made what: how many they are, and their hand share on average. */
  credited: { experiments: number; hand: number } | null;
}

/** Counts the published portfolio. @throws ApiError */
export async function countResults(client: PostgrestClient): Promise<Results> {
  const { credited, hand_share, ...counts } = await one<Counted>(
    client.rpc('count_results', {}, { get: true }).single(),
  );
  return { ...counts, credited: hand_share === null ? null : { experiments: credited, hand: hand_share } };
}

interface Counted extends Pick<Results, 'published' | 'completed' | 'media'> {
  credited: number;
  hand_share: number | null;
}
