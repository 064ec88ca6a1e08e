import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../packages/backend/archive/manifest.ts';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { shortFilm } from '../../../packages/backend/tests/storage/files.ts';
import { addWebhook, callerAt, startWebhookReceiver } from '../../contract/webhook-receiver.ts';
import { findPostgres18, startPostgres } from '../../programs/postgres.ts';
import { type Account, copySeededData, DEMO_ACCOUNTS } from '../../seeded-data.ts';
import { keysIn, publishableKeyOf, type RunningServer, startServer } from '../../server.ts';
import { archive, snapshotsOf, startArchive } from './command.ts';

/** Tokens contain the public URL as issuer, wherever the server listens. */
const SITE_URL = 'http://madhouse.example';
/** Timeout for two sequential loads and starts. */
const BUCKET = 'case-studies';
/** Null when not installed, which `npm test` reports. */
const newest = findPostgres18();

let folder: string;
let passphrase: string;
let server: RunningServer;
let admin: Account;
let session: { access_token: string; refresh_token: string };
let member: Account;
const newFile = () => join(folder, `${randomUUID()}.tar`);
const newDataDir = () => join(folder, randomUUID());

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'madhouse-archive-'));
  passphrase = join(folder, 'passphrase');
  await writeFile(passphrase, 'tangerine bicycle\nanother line\n');
  server = await startServer(
    { SEED: 'none', TRUST_PROXY: '1', SITE_URL, WEBHOOK_NETWORKS: '127.0.0.1' },
    await copySeededData(),
  );
  admin = DEMO_ACCOUNTS.admin;
  session = await token(server, 'password', admin);
  member = DEMO_ACCOUNTS.member;
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function token({ base }: RunningServer, grant: string, body: object) {
  const response = await fetch(`${base}/auth/v1/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { apikey: await publishableKeyOf(base), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as typeof session;
}

const withKeys = () => ['--passphrase-file', passphrase];

async function contentsOf(path: string) {
  const opened = await openArchive(path);
  const objects = new Map(opened.objects.map((version) => [version, opened.checksumOf(version)]));
  const rows = async (name: string) => {
    const table = opened.manifest.tables.find((one) => `${one.schema}.${one.name}` === name)!;
    const lines: Record<string, string | null>[] = [];
    for await (const part of opened.readLines(table))
      for (const line of part)
        lines.push(Object.fromEntries((JSON.parse(line) as string[]).map((value, at) => [table.columns[at], value])));
    return lines;
  };
  const contents = {
    manifest: opened.manifest,
    objects,
    files: await rows('storage.objects'),
    media: await rows('public.project_media'),
    library: await rows('public.media_files'),
    pages: await rows('public.pages'),
    pageVersions: await rows('public.page_versions'),
    redirects: await rows('public.page_redirects'),
    plans: await rows('public.planned_changes'),
    comments: await rows('public.draft_comments'),
    references: await rows('private.object_references'),
  };
  await opened.close();
  return contents;
}

const sums = ({ tables }: Manifest) =>
  tables.filter(({ name }) => name !== 'audit_log_entries').map(({ parts: _, ...table }) => table);

async function serviceOf({ base, dataDir }: RunningServer) {
  const { secret } = keysIn(dataDir);
  const headers = { apikey: secret, authorization: `Bearer ${secret}` };
  return { headers, files: new StorageClient(`${base}/storage/v1`, headers).from(BUCKET) };
}

async function editorRole({ headers }: Awaited<ReturnType<typeof serviceOf>>): Promise<RequestInit> {
  const first = async (path: string) =>
    ((await (await fetch(`${server.base}/rest/v1/${path}`, { headers })).json()) as Record<string, string>[])[0]!;
  const { id } = await first('roles?name=eq.editor');
  const { user_id } = await first(`profiles?email=eq.${member.email}`);
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id, role_id: id }),
  };
}

async function uploadPicture({ files }: Awaited<ReturnType<typeof serviceOf>>): Promise<string> {
  const name = `images/${randomUUID()}.png`;
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#ee3a12' } })
    .png()
    .toBuffer();
  const { error } = await files.upload(name, new Blob([new Uint8Array(picture)], { type: 'image/png' }));
  if (error) throw error;
  return name;
}

async function uploadFilm({
  headers,
}: Awaited<ReturnType<typeof serviceOf>>): Promise<[film: string, captions: string]> {
  const storage = new StorageClient(`${server.base}/storage/v1`, headers);
  const id = randomUUID();
  for (const [bucket, extension, contentType] of [
    ['films', 'mp4', 'video/mp4'],
    ['captions', 'vtt', 'text/vtt'],
  ] as const) {
    const bytes = await shortFilm(extension);
    const { error } = await storage.from(bucket).upload(`${id}.${extension}`, bytes, { contentType });
    if (error) throw error;
  }
  const rest = `${server.base}/rest/v1`;
  const [project] = (await (await fetch(`${rest}/projects?select=id&limit=1`, { headers })).json()) as { id: string }[];
  const url = `${server.base}/storage/v1/object/public/films/${id}.mp4`;
  const added = await fetch(`${rest}/project_media`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project!.id, type: 'video', url }),
  });
  expect(added.status).toBe(201);
  return [`films/${id}.mp4`, `captions/${id}.vtt`];
}

/** Continuously uploads pictures, submits drafts with them, and removes every second one. */
async function busyVisitor(
  until: { over: boolean },
  done: { name: string; media: string | null }[],
  removed: string[],
) {
  const { base } = server;
  const service = await serviceOf(server);
  const { headers, files } = service;
  const call = (path: string, method: string, body: object) =>
    fetch(`${base}/rest/v1/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(body),
    });
  for (let turn = 0; !until.over; turn++) {
    const name = await uploadPicture(service);
    if (turn % 2) {
      const removal = await files.remove([name]);
      if (removal.error) throw removal.error;
      removed.push(name);
      continue;
    }
    const created = await call('rpc/create_case_study', 'POST', {
      title: 'While it is copied',
      description: '<p>Brief</p>',
      client: '',
      status: 'draft',
      submitter_id: null,
    });
    const media = {
      id: randomUUID(),
      project_id: await created.json(),
      type: 'image',
      url: `${base}/storage/v1/object/public/${BUCKET}/${name}`,
      title: '',
      description: '',
      order: 0,
    };
    const added = await call('project_media', 'POST', media);
    done.push({ name, media: added.ok ? media.id : null });
  }
}

async function commentOn(asAdmin: Awaited<ReturnType<typeof callerAt>>, id: string) {
  const p_until = new Date(Date.now() + 86_400_000).toISOString();
  const { secret } = await asAdmin('/rest/v1/rpc/make_draft_link', { p_project: id, p_name: 'Ravi', p_until });
  const { status } = await fetch(`${server.base}/rest/v1/rpc/comment_on_draft`, {
    method: 'POST',
    headers: {
      apikey: await publishableKeyOf(server.base),
      'content-type': 'application/json',
      'x-draft-secret': secret,
    },
    body: JSON.stringify({ p_project: id, p_body: 'Brighter, please.' }),
  });
  expect(status).toBe(204);
}

describe('an archive of a running server (D11)', () => {
  it('contains all acknowledged and no partial writes, and restores an identical installation', async () => {
    const until = { over: false };
    const done: { name: string; media: string | null }[] = [];
    const removed: string[] = [];
    const visitors = [busyVisitor(until, done, removed), busyVisitor(until, done, removed)];
    await expect.poll(() => done.length).toBeGreaterThan(6);
    const before = [...done];
    const removedBefore = [...removed];
    const service = await serviceOf(server);
    const film = await uploadFilm(service);
    const logo = '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"></path></svg>';
    const branded = await fetch(`${server.base}/rest/v1/site_settings`, {
      method: 'POST',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'logo', value: logo }),
    });
    expect(branded.status).toBe(201);
    expect((await fetch(`${server.base}/rest/v1/user_roles`, await editorRole(service))).status).toBe(201);
    const hooks = await startWebhookReceiver();
    const asAdmin = await callerAt(server.base, admin);
    const hook = await addWebhook(asAdmin, hooks);
    await asAdmin('/rest/v1/rpc/send_message', { p_name: 'Archived', p_email: 'a@example.com', p_message: 'A lamp' });
    const sent = await fetch(`${server.base}/rest/v1/contact_messages?select=id&name=eq.Archived`, {
      headers: { apikey: await publishableKeyOf(server.base), authorization: `Bearer ${session.access_token}` },
    });
    const [{ id: message }] = (await sent.json()) as [{ id: string }];
    const started = await asAdmin('/rest/v1/rpc/start_project', { p_message: message });
    const call = async (path: string, body?: object) =>
      (
        await fetch(`${server.base}/rest/v1/${path}`, {
          headers: { ...service.headers, 'content-type': 'application/json' },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        })
      ).json();
    const fact = { name: 'project_facts', value: [{ name: 'Material', kind: 'text', shown: 'card' }] };
    await fetch(`${server.base}/rest/v1/site_settings`, {
      method: 'POST',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify(fact),
    });
    const [{ id: filled }] = await call('projects?select=id&status=eq.completed&limit=1');
    await fetch(`${server.base}/rest/v1/projects?id=eq.${filled}`, {
      method: 'PATCH',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ facts: { material: 'Archived felt' } }),
    });
    const [live] = await call('projects?select=id,updated_at&status=eq.active&limit=1');
    const texts = { p_description: null, p_understanding: null, p_actions: null, p_impact: null };
    const revision = {
      p_id: live.id,
      p_seen: live.updated_at,
      p_staged: null,
      p_publish: false,
      p_fields: {},
      ...texts,
    };
    expect(await call('rpc/stage_project', revision)).toBe(true);
    await commentOn(asAdmin, live.id);
    const victims = await Promise.all(Array.from({ length: 10 }, () => uploadPicture(service)));
    const path = newFile();
    const making = startArchive(server.dataDir, ['make', path, '--keys', ...withKeys()]);
    await expect.poll(() => making.output()).toContain('Reading from the running server');
    // Deletes objects that are in the snapshot but not yet copied.
    expect((await service.files.remove(victims)).error).toBeNull();
    expect(making.child.exitCode, 'the archive is still being made').toBeNull();
    const made = await making.ended;
    const during = done.length - before.length;
    until.over = true;
    await Promise.all(visitors);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Reading from the running server') });
    expect(during, 'drafts that were submitted meanwhile').toBeGreaterThan(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(server.dataDir, 'archives'))).mode & 0o777).toBe(0o700);

    const { manifest, objects, files, media, library, plans, comments } = await contentsOf(path);
    expect(plans).toMatchObject([{ project_id: live.id, kind: 'publish', due_at: null }]);
    expect(comments).toMatchObject([{ project_id: live.id, client: 'Ravi', body: 'Brighter, please.' }]);
    expect(manifest.missing).toEqual([]);
    // Every row has its bytes, including objects removed during the archive.
    expect(new Set(files.map(({ version }) => version))).toEqual(new Set(objects.keys()));
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...before.map(({ name }) => name), ...victims]),
    );
    expect(media.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ media }) => media)));
    expect(library.map(({ name }) => name).sort()).toEqual(
      files.flatMap(({ bucket_id, name }) => ([BUCKET, 'films'].includes(bucket_id!) ? [name] : [])).sort(),
    );
    expect(files.filter(({ name }) => removedBefore.includes(name!))).toEqual([]);
    await expect.poll(() => snapshotsOf(server.dataDir)).toEqual([]);

    const installation = newDataDir();
    const loaded = await archive(installation, 'load', path, ...withKeys());
    expect(loaded).toMatchObject({ code: 0, output: expect.stringContaining('all identical') });
    expect(loaded.output).toMatch(/public\.projects +\d+ rows, identical/);
    expect((await stat(join(installation, 'keys.json'))).mode & 0o777).toBe(0o600);
    // Without a running server the folder is read directly, with the same checksums.
    const again = newFile();
    expect(await archive(installation, 'make', again)).toMatchObject({
      code: 0,
      output: expect.stringContaining('No server is running'),
    });
    const second = await contentsOf(again);
    expect(sums(second.manifest)).toEqual(sums(manifest));
    expect(second.objects).toEqual(objects);
    expect(second.library).toEqual(library);
    expect(second.plans).toEqual(plans);
    expect(second.comments).toEqual(comments);
    // References are indexed immediately, so no file counts as unused.
    expect(second.references.map(({ record }) => record)).toEqual(
      expect.arrayContaining(before.map(({ media }) => media)),
    );

    const copy = await startServer({ SEED: 'none', SITE_URL, WEBHOOK_NETWORKS: '127.0.0.1' }, installation);
    try {
      const whoami = (token: string) =>
        fetch(`${copy.base}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } });
      expect((await whoami(session.access_token)).status).toBe(200);
      const { access_token } = await token(copy, 'refresh_token', { refresh_token: session.refresh_token });
      expect((await whoami(access_token)).status).toBe(200);
      const editor = await token(copy, 'password', member);
      const headers = { apikey: await publishableKeyOf(copy.base), authorization: `Bearer ${editor.access_token}` };
      const canEdit = await fetch(`${copy.base}/rest/v1/rpc/can_edit_content`, { method: 'POST', headers });
      expect(await canEdit.json()).toBe(true);
      for (const name of [...before.map(({ name }) => `${BUCKET}/${name}`), ...film]) {
        const address = `/storage/v1/object/public/${name}`;
        const [here, there] = await Promise.all(
          [server, copy].map(async ({ base }) => (await fetch(base + address)).bytes()),
        );
        expect(Buffer.from(there!).equals(Buffer.from(here!)), name).toBe(true);
      }
      expect(await (await fetch(`${copy.base}/icon.svg`)).text()).toContain(Buffer.from(logo).toString('base64'));
      expect(media.find(({ url }) => url?.endsWith(film[0]!))).toMatchObject({ width: '160', captions: 'true' });
      expect(await (await fetch(`${copy.base}/case-studies?q=archived`)).text()).toContain('Material: Archived felt');
      // The keys are in the archive, so webhooks are signed with the same secrets.
      const call = await callerAt(copy.base, admin);
      expect(await call('/rest/v1/rpc/project_enquiry', { p_id: started })).toMatchObject({
        name: 'Archived',
        history: [{ action: 'contact_messages.start_project', actor: { email: admin.email } }],
      });
      await call('/rest/v1/rpc/test_webhook', { p_webhook: hook });
      await expect.poll(() => hooks.received).toMatchObject([{ event: { type: 'webhook.test' } }]);
    } finally {
      await copy.stop({ keep: true });
      await hooks.stop();
    }
  });

  it('moves from the embedded database to PostgreSQL 15, to 18 and back with valid sessions', async () => {
    const first = newFile();
    expect((await archive(server.dataDir, 'make', first, '--keys', ...withKeys())).code).toBe(0);
    const before = await contentsOf(first);
    const servers = [await startPostgres(), ...(newest ? [await startPostgres(undefined, newest)] : [])];
    try {
      let path = first;
      for (const postgres of [...servers, null]) {
        const settings: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
        const installation = newDataDir();
        const load = (dataDir: string) => startArchive(dataDir, ['load', path, ...withKeys()], settings).ended;
        expect(await load(installation)).toMatchObject({ code: 0, output: expect.stringContaining('all identical') });
        if (postgres === servers[0])
          expect(await load(newDataDir())).toMatchObject({
            code: 1,
            output: expect.stringMatching(/is not empty: it has .* other tables. Nothing was changed/),
          });
        // Read before a continued session changes data.
        const next = newFile();
        const made = await startArchive(installation, ['make', next, '--keys', ...withKeys()], settings).ended;
        expect(made).toMatchObject({
          code: 0,
          output: expect.stringContaining(postgres ? 'from a PostgreSQL server' : 'from the embedded database'),
        });
        const after = await contentsOf(next);
        expect(after.objects).toEqual(before.objects);
        expect(sums(after.manifest)).toEqual(sums(before.manifest));
        const keysOf = (dataDir: string) => readFile(join(dataDir, 'keys.json'), 'utf8').then(JSON.parse);
        expect(await keysOf(installation)).toEqual(await keysOf(server.dataDir));
        path = next;

        // The data is identical, so that one server shows it for all.
        if (postgres !== servers.at(-1)) continue;
        const moved = await startServer({ ...settings, SEED: 'none', SITE_URL }, installation);
        const me = await fetch(`${moved.base}/auth/v1/user`, {
          headers: { authorization: `Bearer ${session.access_token}` },
        });
        expect(me.status).toBe(200);
        await token(moved, 'refresh_token', { refresh_token: session.refresh_token });
        await moved.stop({ keep: true });
      }
    } finally {
      for (const postgres of servers) await postgres.stop();
    }
  });

  it('rejects existing files, running servers, non-empty targets and damaged archives without changes', async () => {
    const path = newFile();
    expect((await archive(server.dataDir, 'make', path)).code).toBe(0);
    const written = await readFile(path);
    expect(await archive(server.dataDir, 'make', path)).toMatchObject({
      code: 1,
      output: expect.stringContaining('exists already. Choose another file name; files are never overwritten.'),
    });
    expect((await readFile(path)).equals(written)).toBe(true);
    expect(await archive(server.dataDir, 'load', path)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`in use by process ${server.process.pid}`),
    });
    expect(await archive(newDataDir(), 'check', path)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/is intact: .*no keys/s),
    });

    const full = newDataDir();
    await mkdir(join(full, 'objects', 'aa'), { recursive: true });
    await writeFile(join(full, 'keys.json'), '{}');
    expect(await archive(full, 'load', path)).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'is not empty: it has objects, keys.json. Nothing was changed. Set DATA_DIR to a new folder',
      ),
    });
    expect(existsSync(join(full, 'archive-loading'))).toBe(false);

    const damaged = newFile();
    written[written.length >> 1]! ^= 1;
    await writeFile(damaged, written);
    const empty = newDataDir();
    for (const words of [
      ['check', damaged],
      ['load', damaged],
    ])
      expect(await archive(empty, ...words)).toMatchObject({
        code: 1,
        output: expect.stringContaining('is damaged: '),
      });
    expect(existsSync(empty)).toBe(false);
  });

  it('prints its usage for invalid arguments', async () => {
    const empty = newDataDir();
    for (const words of [[], ['make', 'a', 'b'], ['check', 'a', '--keys'], ['drop', 'a']])
      expect(await archive(empty, ...words)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Usage: npm run archive'),
      });
    expect((await archive(empty, 'make', newFile())).output).toContain('has no installation yet');
    expect((await archive(empty, 'load', newFile())).output).toContain('cannot be read: ENOENT');
    expect((await archive(server.dataDir, 'make', newFile(), '--keys')).output).toContain('use --passphrase-file FILE');
    const short = join(folder, 'short');
    await writeFile(short, 'short');
    const weak = await archive(server.dataDir, 'make', newFile(), '--keys', '--passphrase-file', short);
    expect(weak.output).toContain('must have at least 12 characters');
  });

  it('reports that the server stopped meanwhile, and leaves no file', async () => {
    const installation = server.dataDir;
    const cut = newFile();
    const making = startArchive(installation, ['make', cut]);
    await expect.poll(() => making.output()).toContain('Reading from the running server');
    await server.stop({ keep: true, signal: 'SIGKILL' });
    const { code, output } = await making.ended;
    expect([code, output]).toEqual([1, expect.stringContaining('The server stopped while the archive was made')]);
    expect((await readdir(folder)).filter((name) => cut.endsWith(name) || name.endsWith('.part'))).toEqual([]);
    server = await startServer({ SEED: 'none' }, installation);
    expect(await snapshotsOf(installation)).toEqual([]);
  });
});
