import type { PostgrestClient } from '@supabase/postgrest-js';
import { counted, one } from '../data/rows.ts';
import { LISTED } from '../project/status.ts';

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
  const [all, completed, media] = await Promise.all([
    // The register of the list keeps these numbers.
    one<Counted>(client.rpc('count_case_studies', {}, { get: true }).eq('category', 'all').single()),
    counted(client.from('projects').select('id', { count: 'exact', head: true }).eq('status', 'completed')),
    counted(
      client
        .from('project_media')
        .select('id,projects!inner(status)', { count: 'exact', head: true })
        .in('projects.status', LISTED),
    ),
  ]);
  const { experiments, hand_led, half_and_half, machine_led, hand_share } = all;
  return {
    published: experiments,
    completed,
    media,
    credited: hand_share === null ? null : { experiments: hand_led + half_and_half + machine_led, hand: hand_share },
  };
}

interface Counted {
  experiments: number;
  hand_led: number;
  half_and_half: number;
  machine_led: number;
  hand_share: number | null;
}
