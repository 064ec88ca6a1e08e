import type { PostgrestClient } from '@supabase/postgrest-js';
import { type FoundPage, findProjects, LISTED_COLUMNS, type ListedProject, type ProjectQuestion } from './list.ts';

const PREVIEW = 50;

export const readTable = (data: PostgrestClient, question: ProjectQuestion): Promise<FoundPage<ListedProject>> =>
  findProjects(data, question, { columns: `${LISTED_COLUMNS},description,submitted_at` });

/** The first 50 characters, plus an ellipsis when cut. */
export function previewOf(text: string): string {
  const characters = [...text];
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('').trimEnd()}…` : text;
}
