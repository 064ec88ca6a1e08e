import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';
import { folderForTests } from '../folder-for-tests.ts';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'packages', 'backend');
const versionIn = (file: string): string => createRequire(import.meta.url)(file).version;

const CONFIG = `project_id = "notes"
[auth]
site_url = "https://notes.example"
[auth.email]
enable_confirmations = false
`;
const MIGRATION = `create table public.notes (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid(),
  words text not null
);
alter table public.notes enable row level security;
grant select, insert on public.notes to authenticated;
create policy "own notes" on public.notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
insert into storage.buckets (id, name, public) values ('files', 'files', true);
create policy "signed-in users upload" on storage.objects for insert to authenticated with check (bucket_id = 'files');
create policy "signed-in users read" on storage.objects for select to authenticated using (bucket_id = 'files');
`;
/** Runs in the folder where the package is installed, like a program of its user. */
const PROGRAM = `import { createClient } from '@supabase/supabase-js';
const [url, key] = process.argv.slice(2);
const connect = () => createClient(url, key, { auth: { persistSession: false } });
const [first, second] = [connect(), connect()];
const must = ({ data, error }) => { if (error) throw error; return data; };
must(await first.auth.signUp({ email: 'first@example.com', password: 'a long first password' }));
must(await second.auth.signUp({ email: 'second@example.com', password: 'a long second password' }));
must(await first.from('notes').insert({ words: 'mine' }));
const refused = await first.from('notes').insert({ words: 'not mine', owner: (await second.auth.getUser()).data.user.id });
must(await first.storage.from('files').upload('a.txt', new Blob(['hello']), { contentType: 'text/plain' }));
const file = must(await second.storage.from('files').download('a.txt'));
console.log(JSON.stringify({ mine: must(await first.from('notes').select('words')),
  theirs: must(await second.from('notes').select('words')),
  refused: refused.error.code,
  file: await file.text(),
}));
process.exit(0);
`;

describe('the packed backend', () => {
  const folder = folderForTests();
  let server: ChildProcess;
  let url: string;
  let key: string;
  const command = join('node_modules', '@madhouse', 'backend', 'dist', 'command.js');

  beforeAll(async () => {
    await run(process.execPath, [join(PACKAGE, 'package.ts')]);
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: PACKAGE });
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
    const official = `@supabase/supabase-js@${versionIn('@supabase/auth-js/package.json')}`;
    await run('npm', [...install, official], { cwd: folder });
    await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true });
    await writeFile(join(folder, 'supabase', 'config.toml'), CONFIG);
    await writeFile(join(folder, 'supabase', 'migrations', '20260101000000_notes.sql'), MIGRATION);
    await writeFile(join(folder, 'program.js'), PROGRAM);
    const port = await freePort();
    const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'warn' };
    server = spawn(process.execPath, [command, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    for await (const chunk of server.stdout!) {
      printed += chunk;
      [, url = '', key = ''] = /Backend: (\S+)\nPublishable key: (\S+)/.exec(printed) ?? [];
      if (key) break;
    }
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });

  it('serves a Supabase project to the official client at the printed address', async () => {
    const { stdout } = await run(process.execPath, ['program.js', url, key], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ mine: [{ words: 'mine' }], theirs: [], refused: '42501', file: 'hello' });
  });

  it('makes an archive of the running server', async () => {
    const { stdout } = await run(process.execPath, [command, 'archive', 'make', 'copy.archive'], { cwd: folder });
    expect(stdout).toContain(`by version ${versionIn(join(PACKAGE, 'package.json'))} from the embedded database`);
  });

  it('contains types and no TypeScript sources', async () => {
    const names = await readdir(join(folder, 'node_modules', '@madhouse', 'backend', 'dist'), { recursive: true });
    expect(names).toContain('index.d.ts');
    expect(names.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  it('depends on the versions that the product uses', async () => {
    const read = async (path: string) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    const [ours, products] = [await read(PACKAGE), await read(join(PACKAGE, '..', '..'))];
    expect(ours.version).toBe(products.version);
    const used = { ...products.dependencies, ...products.devDependencies };
    expect(used).toMatchObject({ ...ours.dependencies, ...ours.peerDependencies });
  });
});
