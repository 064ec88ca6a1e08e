/**
 * Writes the e-mail templates of a hosted project, with the brand of its settings.
 * Usage: node supabase/templates/write.ts [https://PROJECT.supabase.co PUBLISHABLE_KEY], to paste them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emailLayout } from './layout.ts';

const [url, apikey = ''] = process.argv.slice(2);
const CONFIG = join(import.meta.dirname, '..', 'config.toml');

async function readSettings(): Promise<Record<string, unknown>> {
  if (!url) return {};
  const response = await fetch(`${url}/rest/v1/site_settings?select=name,value`, { headers: { apikey } });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: check the address and the key`);
  const rows = (await response.json()) as { name: string; value: unknown }[];
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

let config = await readFile(CONFIG, 'utf8');
for (const [kind, { subject, html }] of Object.entries(emailLayout(await readSettings()).templates)) {
  await writeFile(join(import.meta.dirname, `${kind}.html`), html);
  const line = new RegExp(`(\\[auth\\.email\\.template\\.${kind}\\]\\nsubject = ).*`);
  config = config.replace(line, (_, before: string) => before + JSON.stringify(subject));
}
await writeFile(CONFIG, config);
