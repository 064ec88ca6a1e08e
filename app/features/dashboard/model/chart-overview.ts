import type { PostgrestClient } from '@supabase/postgrest-js';
import { readOne } from '#lib/data/rows.ts';

export interface Overview {
  /** The last 26 weeks, oldest first, from their Monday. */
  weeks: { week: string; projects: number }[];
  /** New experiments in the last 30 days, and in the 30 before. */
  recent: number;
  before: number;
  statuses: { status: string; projects: number }[];
  categories: { category: string; projects: number }[];
  all: number;
  comments: { id: string; title: string; open: number; submission: boolean }[];
}

export const readOverview = (data: PostgrestClient): Promise<Overview> => readOne(data.rpc('admin_overview'));

export function trendOf({ recent, before }: Pick<Overview, 'recent' | 'before'>): string {
  const difference = recent - before;
  const direction = difference > 0 ? 'more' : 'fewer';
  const comparison = difference === 0 ? 'as many as' : `${count(Math.abs(difference))} ${direction} than`;
  const experiments = `${count(recent)} new ${recent === 1 ? 'experiment' : 'experiments'} in the last 30 days`;
  return `${experiments}, ${comparison} in the 30 days before.`;
}

export const uncategorised = ({ all, categories }: Pick<Overview, 'all' | 'categories'>): number =>
  Math.max(0, all - categories.reduce((sum, { projects }) => sum + projects, 0));

/** Whole percent; anything above zero is at least 1. */
export const percentOfAll = (part: number, all: number): number =>
  part === 0 || all === 0 ? 0 : Math.max(1, Math.round((part / all) * 100));

export const count = (number: number): string => number.toLocaleString('en');
