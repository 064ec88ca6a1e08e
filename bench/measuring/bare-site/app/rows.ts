import { readFileSync } from 'node:fs';

export interface Row {
  id: string;
  title: string;
  client: string | null;
  description: string | null;
  project_media: { url: string; title: string | null }[];
}

/** The response of the measured server, read once. */
export const rows: Row[] = JSON.parse(readFileSync(process.env['ROWS']!, 'utf8'));
