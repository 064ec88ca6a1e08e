import type { PostgrestClient } from '@supabase/postgrest-js';
import { readOne } from '#lib/data/rows.ts';

export interface PageViews {
  days: { day: string; visits: number }[];
  pages: { page: string; title: string | null; visits: number }[];
  depth: { mark: number; visits: number }[];
  sections: { page: string; section: string; visits: number }[];
}

/** By GET, because a POST would make the gateway purge its page cache. */
export const findPageViews = (data: PostgrestClient, days: number): Promise<PageViews> =>
  readOne(data.rpc('reading_report', { p_days: days }, { get: true }));

export const visitsIn = ({ days }: PageViews): number => days.reduce((sum, { visits }) => sum + visits, 0);

export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 100));
