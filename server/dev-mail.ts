import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plainText } from './plain-text.ts';

const MAX_SHOWN = 50;

/** Never mounted in production. */
export async function outboxPage(folder: string): Promise<Response> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
  const mails = await Promise.all(
    names.slice(0, MAX_SHOWN).map(async (name) => `──── ${name}\n\n${await readFile(join(folder, name), 'utf8')}`),
  );
  return plainText(200, mails.join('\n\n') || 'No email yet.', { 'x-content-type-options': 'nosniff' });
}
