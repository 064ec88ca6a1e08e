import { longDay } from '../time.tsx';

/** A value of a project's fact as readers see it. */
export function factText({ kind }: { kind: string }, value: string | number): string {
  if (kind === 'number') return Number(value).toLocaleString('en', { maximumFractionDigits: 6, useGrouping: 'min2' });
  if (kind === 'date') return longDay(String(value));
  return kind === 'link' ? String(value).replace(/^https?:\/\/(www\.)?|\/$/gi, '') : String(value);
}
