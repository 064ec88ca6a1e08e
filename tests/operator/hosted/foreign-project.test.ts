import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SignJWT } from 'jose';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { failedStart, type RunningServer, startServer } from '../../server.ts';
import { clientOf } from '../client.ts';

const ADA = '11111111-2222-4333-8444-555555555555';
const SECRET = 'a secret of the project, long enough to count';

/** A typical `supabase init` project, without anything of Madhouse. */
const FILES: Record<string, string> = {
  'config.toml': `
project_id = "shop"
[api]
enabled = true
port = 54321
schemas = ["public", "graphql_public"]
extra_search_path = ["public", "extensions"]
max_rows = 1000
[db]
port = 54322
major_version = 17
[db.seed]
enabled = true
sql_paths = ["./seeds/*.sql"]
[realtime]
enabled = true
[studio]
enabled = true
port = 54323
[storage]
file_size_limit = "50MiB"
[storage.buckets.covers]
public = true
file_size_limit = "1MiB"
allowed_mime_types = ["image/png"]
[auth]
site_url = "https://shop.example"
jwt_secret = "${SECRET}"
additional_redirect_urls = ["https://shop.example/**"]
enable_signup = true
password_requirements = "letters_digits"
[auth.email]
enable_confirmations = false
max_frequency = "1m0s"
[auth.email.template.invite]
subject = "Come in"
content_path = "./supabase/templates/invite.html"
[auth.external.github]
enabled = true
client_id = "shop"
secret = "env(SUPABASE_AUTH_GITHUB_SECRET)"
[auth.sms.twilio]
enabled = false
[functions.hello]
verify_jwt = false
[edge_runtime]
enabled = true
deno_version = 2
[analytics]
enabled = true
backend = "postgres"
`,
  'functions/hello/index.ts': 'Deno.serve(() => new Response("hello"));',
  'templates/invite.html': '<p>Come in: {{ .ConfirmationURL }}</p>',
  'migrations/20240101000000_ground.sql': `
create extension if not exists pgcrypto with schema extensions;
create table public.profiles (id uuid primary key references auth.users (id) on delete cascade, name text not null);
alter table public.profiles enable row level security;
create policy "read" on public.profiles for select using (true);
create policy "own" on public.profiles for update to authenticated using ((select auth.uid()) = id);
create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, name) values (new.id, coalesce(new.raw_user_meta_data ->> 'name', 'unnamed'));
  return new;
end $$;
create trigger on_auth_user_created after insert on auth.users for each row execute function public.handle_new_user();
`,
  'migrations/20240202000000_notes.sql': `
create table public.notes (
  id bigint generated always as identity primary key,
  author uuid references public.profiles (id),
  text text not null
);
alter table public.notes enable row level security;
create policy "read" on public.notes for select using (true);
`,
  'seeds/10_people.sql': `
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
values ('00000000-0000-0000-0000-000000000000', '${ADA}', 'authenticated', 'authenticated', 'ada@shop.example',
  extensions.crypt('correct horse 1', extensions.gen_salt('bf')), now(), '{"provider":"email","providers":["email"]}',
  '{"name":"Ada"}', now(), now(), '', '', '', '');
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
values (gen_random_uuid(), '${ADA}', '${ADA}', '{"sub":"${ADA}","email":"ada@shop.example"}', 'email', now(), now(), now());
`,
  'seeds/20_notes.sql': `insert into public.notes (author, text) values ('${ADA}', 'planted');`,
};

let project: string;
let dataDir: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'madhouse-foreign-'));
  dataDir = await mkdtemp(join(tmpdir(), 'madhouse-'));
  for (const [name, text] of Object.entries(FILES)) await put(name, text);
});
afterEach(() => Promise.all([project, dataDir].map((folder) => rm(folder, { recursive: true, force: true }))));

const supabaseDir = () => join(project, 'supabase');
async function put(name: string, text: string) {
  const file = join(supabaseDir(), name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
const without = (name: string) => rm(join(supabaseDir(), name), { recursive: true });
const start = (settings: Record<string, string> = {}) =>
  startServer({ SUPABASE_DIR: supabaseDir(), ...settings }, dataDir);

const appOf = (server: RunningServer) => async (path: string, json?: object, token?: string) => {
  const response = await clientOf(server).send(path, { json, ...(token && { token }) });
  return [response.status, await response.json()];
};

async function expectAsWritten(server: RunningServer): Promise<void> {
  const call = appOf(server);
  const notes = [{ text: 'planted', profiles: { name: 'Ada' } }];
  expect(await call('/rest/v1/notes?select=text,profiles(name)')).toEqual([200, notes]);
  const password = '/auth/v1/token?grant_type=password';
  const ada = { user: { id: ADA, user_metadata: { name: 'Ada' } } };
  expect(await call(password, { email: 'ada@shop.example', password: 'correct horse 1' })).toMatchObject([200, ada]);
  const weak = await call('/auth/v1/signup', { email: 'bob@shop.example', password: 'only letters' });
  expect(weak).toMatchObject([422, { weak_password: { reasons: ['characters'] } }]);
  const signedUp = { email: 'bob@shop.example', password: 'letters 4 bob', data: { name: 'Bob' } };
  expect(await call('/auth/v1/signup', signedUp)).toMatchObject([200, { access_token: expect.any(String) }]);
  expect(await call('/rest/v1/profiles?select=name&order=name')).toEqual([200, [{ name: 'Ada' }, { name: 'Bob' }]]);
  expect(await call('/auth/v1/settings')).toMatchObject([200, { external: { github: false, email: true } }]);
  const service = await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));
  const covers = { public: true, file_size_limit: 1024 ** 2, allowed_mime_types: ['image/png'] };
  expect(await call('/storage/v1/bucket/covers', undefined, service)).toMatchObject([200, covers]);
  const output = server.output();
  expect(output).not.toContain('Demo accounts');
  expect(output).toContain('[auth] site_url of config.toml is used, because SITE_URL is not set');
  expect(output).toContain('[auth] jwt_secret of config.toml is used, because JWT_SECRET is not set');
  expect(output).toContain('[auth.external.github] is disabled');
  expect(output).toContain('functions/hello does not run here');
}

describe('a project folder made for Supabase', () => {
  it('starts unchanged and runs its seed once', async () => {
    const server = await start();
    await expectAsWritten(server);
    expect(await server.stop({ keep: true })).toBe(0);
    const again = await start({ SITE_URL: 'https://elsewhere.example' });
    expect(await appOf(again)('/rest/v1/notes?select=text')).toEqual([200, [{ text: 'planted' }]]);
    const ignored = 'SITE_URL from the environment is used; [auth] site_url of config.toml is ignored';
    expect(again.output()).toContain(ignored);
    await again.stop();
  });

  it('starts with a config.toml alone', async () => {
    for (const name of ['migrations', 'seeds', 'functions', 'templates']) await without(name);
    const server = await start();
    const call = appOf(server);
    expect((await call('/rest/v1/notes?select=text'))[0]).toBe(404);
    expect((await call('/auth/v1/signup', { email: 'ada@shop.example', password: 'letters 4 ada' }))[0]).toBe(200);
    await server.stop();
  });
});

describe('a project folder made for Supabase, on a PostgreSQL server', () => {
  const database = forAllTests(startPostgres);

  it('starts unchanged, and runs its seed on request with a record in the CLI’s table', async () => {
    const sql = postgres(database.url, { max: 1 });
    try {
      const bare = await start({ DATABASE_URL: database.url });
      expect(await appOf(bare)('/rest/v1/notes?select=text')).toEqual([200, []]);
      await bare.stop({ keep: true });
      const server = await start({ DATABASE_URL: database.url, SEED: 'project' });
      await expectAsWritten(server);
      await server.stop({ keep: true });
      const files = await sql`select path, length(hash) as digits from supabase_migrations.seed_files order by path`;
      const recorded = files.flatMap(({ path, digits }) => [path, digits]);
      expect(recorded).toEqual(['seeds/10_people.sql', 64, 'seeds/20_notes.sql', 64]);
    } finally {
      await sql.end();
    }
  });
});

describe('an invalid project folder', () => {
  async function refusal(settings: Record<string, string> = {}) {
    const line = await failedStart({ SUPABASE_DIR: supabaseDir(), ...settings }, dataDir);
    expect(line).not.toMatch(/ENO|EISDIR/);
    return line;
  }

  it('is reported with its error', async () => {
    expect(await refusal({ SUPABASE_DIR: join(project, 'nowhere') })).toMatch(/nowhere\/config\.toml does not exist/);
    expect(await refusal({ SUPABASE_DIR: join(supabaseDir(), 'config.toml') })).toMatch(/config\.toml is not a folder/);
    await put('config.toml', `${FILES['config.toml']}\n[auth.rate_limit]\nemail_sent = "many"`);
    expect(await refusal()).toMatch(/config\.toml: auth\.rate_limit\.email_sent /);
  });

  it('is reported with the file that failed', async () => {
    await without('migrations');
    await put('migrations', 'a file');
    expect(await refusal()).toMatch(/\/migrations is not a folder, or its parent is not\. Fix it/);
    await without('migrations');
    await put('migrations/1_ground.sql', 'create table public.notes (id int); create table public.notes (id int);');
    expect(await refusal()).toMatch(/1_ground\.sql failed at step 2 of 2 .*already exists/);
    await put('migrations/1_ground.sql', 'create table public.notes (id int)');
    await put('seeds/10_people.sql', 'insert into public.people values (1)');
    const failed = await refusal({ SEED: 'project' });
    expect(failed).toMatch(/seeds\/10_people\.sql failed: relation "public.people" does not exist/);
  });
});
