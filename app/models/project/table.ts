import type { PostgrestClient } from '@supabase/postgrest-js';
import { type FoundPage, findProjects, type ProjectQuestion } from './list.ts';

const PREVIEW = 50;

export interface TableRow {
  id: string;
  title: string;
  client: string | null;
  description: string | null;
  status: string;
  submitted_at: string | null;
  created_at: string;
}

export const readTable = (data: PostgrestClient, question: ProjectQuestion): Promise<FoundPage<TableRow>> =>
  findProjects(
    data,
    { ...question, sort: 'newest' },
    { columns: 'id,title,client,description,status,submitted_at,created_at' },
  );

/** The first 50 characters, plus an ellipsis when cut. */
export function previewOf(text: string): string {
  const characters = [...text];
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('').trimEnd()}…` : text;
}
