import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RunningServer, startServerOnPostgres } from '../server.ts';

const CLIENT = join(import.meta.dirname, '..', '..', 'build', 'client');
const PAGES = '/admin-setup /admin-help /admin-login /verify-user /admin /admin/settings /sign-in /'.split(' ');

/** All responses available without an account: built files, helper pages, and their data. */
async function sentBy({ base }: RunningServer): Promise<Map<string, string>> {
  const files = readdirSync(CLIENT, { recursive: true, withFileTypes: true })
    // Compressed files are served only in place of their original.
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(CLIENT.length));
  const data = PAGES.map((path) => (path === '/' ? '/_root.data' : `${path}.data`));
  const sent = new Map<string, string>();
  for (const path of [...files, ...PAGES, ...data]) {
    const response = await fetch(base + path);
    if (files.includes(path)) expect(response.status, path).toBe(200);
    sent.set(
      path,
      JSON.stringify([...response.headers]) + Buffer.from(await response.arrayBuffer()).toString('latin1'),
    );
  }
  return sent;
}

it('a production server never sends the setup key to a browser (CFG-04)', async () => {
  const key = `key-of-this-test-${randomBytes(8).toString('hex')}`;
  const forms = [key, createHash('sha256').update(key).digest('hex'), encodeURIComponent(key), btoa(key)];
  const holders = (sent: Map<string, string>) =>
    [...sent].filter(([, text]) => forms.some((form) => text.includes(form))).map(([path]) => path);

  const server = await startServerOnPostgres({ SEED: 'none', SETUP_KEY: key });
  try {
    const sent = await sentBy(server);
    expect([...sent.keys()].filter((path) => path.endsWith('.js')).length).toBeGreaterThan(20);
    expect(holders(sent)).toEqual([]);
    expect(server.output()).not.toContain(key);
    const publishable = /data-key="([^"]+)"/.exec(sent.get('/sign-in')!)![1]!;
    const made = await fetch(`${server.base}/functions/v1/admin-setup`, {
      method: 'POST',
      headers: { apikey: publishable, 'content-type': 'application/json', 'x-setup-key': key },
      body: JSON.stringify({ email: 'first@madhouse.example', password: 'a-long-walk-by-the-sea' }),
    });
    expect(await made.json()).toMatchObject({ success: true });
  } finally {
    await server.stop();
  }

  // In development the page contains the key, so the search works.
  const development = await startServerOnPostgres({ SEED: 'none', SETUP_KEY: key, MADHOUSE_DEV: '1' });
  try {
    const page = await (await fetch(`${development.base}/admin-setup`)).text();
    expect(holders(new Map([['/admin-setup', page]]))).toEqual(['/admin-setup']);
  } finally {
    await development.stop();
  }
});
