import type { Database } from './database.ts';
import type { OpenOptions } from './open.ts';
export async function openPostgres(_url: string, _options: OpenOptions): Promise<Database> {
  throw new Error('not yet');
}
