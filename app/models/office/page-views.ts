import type { PostgrestClient } from '@supabase/postgrest-js';
import { one } from '../data/rows.ts';

/** What was read in the last days, as numbers alone. */
export interface PageViews {
  /** One for each day, oldest first, in UTC. */
  days: { day: string; visits: number }[];
  /** The ten most read, most first; `title` is an experiment's. */
  pages: { page: string; title: string | null; visits: number }[];
  /** How many visits came to 25, 50, 75 and 90 percent. */
  depth: { mark: number; visits: number }[];
  sections: { page: string; section: string; visits: number }[];
}

/** The report on the last days, today included. For admins. @throws ApiError */
export async function findPageViews(data: PostgrestClient, days: number): Promise<PageViews> {
  // By GET: it changes nothing, and a POST would make the front door forget the pages that it keeps.
  return one(data.rpc('reading_report', { p_days: days }, { get: true }));
}

export const visitsIn = ({ days }: PageViews): number => days.reduce((sum, { visits }) => sum + visits, 0);

/** A share of a whole in whole percent; 0 of nothing. More marks than visits are still all of them. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 100));
