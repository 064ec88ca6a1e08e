import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkInMail } from '../outbox.ts';
import { type RunningServer, startServer } from '../server.ts';

interface Locked {
  packages: Record<string, { dev?: true; devOptional?: true }>;
}

let tree: string;
/** A PATH on which npm says no, and leaves a note that it was asked. */
let path: string;
const npmWasAsked = () =>
  readFile(join(tree, 'asked'), 'utf8').then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'madhouse-tree-'));
  const list = (...options: string[]) =>
    execFileSync('git', ['ls-files', ...options], { encoding: 'utf8' }).split('\n');
  const ignored = new Set(list('--cached', '--ignored', '--exclude-from=.dockerignore'));
  const files = list('--cached', '--others', '--exclude-standard').filter((file) => file && !ignored.has(file));
  await mkdir(join(tree, 'bin'));
  await writeFile(join(tree, 'bin', 'npm'), `#!/bin/sh\ntouch '${join(tree, 'asked')}'\nexit 1\n`, { mode: 0o755 });
  path = [join(tree, 'bin'), process.env['PATH']].join(delimiter);
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as Locked;
  const installed = JSON.parse(await readFile('node_modules/.package-lock.json', 'utf8')) as Locked;
  for (const name of Object.keys(installed.packages))
    if (lock.packages[name]?.dev || lock.packages[name]?.devOptional) delete installed.packages[name];
  const packages = Object.keys(installed.packages);
  const folders = packages.filter((name) => name.lastIndexOf('node_modules/') === 0);
  // Elsewhere, not linked: a package finds others from where it really lies. Node itself finds none.
  const [nodes, others] = [/^node_modules\/node-/, /^(?!node_modules\/node-)/].map((kind) =>
    folders.filter((name) => kind.test(name)),
  );
  for (const part of ['build', ...files, ...others!]) await cp(part, join(tree, part), { recursive: true });
  for (const part of nodes!) await symlink(join(process.cwd(), part), join(tree, part));
  await writeFile(join(tree, 'node_modules', '.package-lock.json'), JSON.stringify(installed));
  const settings = join(tree, 'supabase', 'madhouse.toml');
  const written = await readFile(settings, 'utf8');
  await writeFile(settings, written.replace('[auth.saml]\nenabled = false', '[auth.saml]\nenabled = true'));
}, 120_000);
afterAll(() => rm(tree, { recursive: true, force: true }));

const launch = (...words: string[]) =>
  spawnSync(process.execPath, ['launch.mjs', ...words], {
    cwd: tree,
    encoding: 'utf8',
    env: { PATH: path, HOME: process.env['HOME'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  });

describe('a built house with its run-time packages alone, of the files that an image is made of', () => {
  let server: RunningServer;
  let key: string;
  const ask = (address: string, options: RequestInit = {}) =>
    fetch(server.base + address, {
      ...options,
      headers: { apikey: key, authorization: `Bearer ${key}`, ...options.headers },
    });
  const send = (address: string, body: object) =>
    ask(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  beforeAll(async () => {
    server = await startServer({ PATH: path, SEED: 'none' }, undefined, { tree });
    key = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8')).secret;
  }, 240_000);
  afterAll(() => server?.stop());

  it('has nothing to install', async () => {
    expect(await npmWasAsked()).toBe(false);
  });

  it.each(['/', '/case-studies', '/case-study-upload', '/sign-in', '/admin', '/sitemap.xml'])(
    'answers %s',
    async (address) => {
      expect((await fetch(server.base + address)).status).toBe(200);
    },
  );

  it('draws the image of a link', async () => {
    const html = await (await fetch(`${server.base}/`)).text();
    const address = /property="og:image" content="https?:\/\/[^/"]+([^"]+)"/.exec(html)![1]!;
    const answer = await fetch(server.base + address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('signs people in, mails them, and describes itself to companies', async () => {
    const person = { email: `${randomUUID()}@example.com`, password: 'tangerine bicycle' };
    expect((await send('/auth/v1/admin/users', { ...person, email_confirm: true })).status).toBe(200);
    expect((await send('/auth/v1/token?grant_type=password', person)).status).toBe(200);
    expect((await send('/auth/v1/recover', { email: person.email })).status).toBe(200);
    expect(await linkInMail(server.dataDir, person.email, 'recovery')).toContain('/confirm?');
    const metadata = await ask('/auth/v1/sso/saml/metadata');
    expect([metadata.status, await metadata.text()]).toEqual([200, expect.stringContaining('EntityDescriptor')]);
  });

  it('takes a picture and makes others of it', async () => {
    const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#ee3a12' } })
      .png()
      .toBuffer();
    const name = `case-studies/images/${randomUUID()}.png`;
    const body = new Uint8Array(picture);
    const headers = { 'content-type': 'image/png' };
    expect((await ask(`/storage/v1/object/${name}`, { method: 'POST', headers, body })).status).toBe(200);
    const made = await ask(`/storage/v1/render/image/public/${name}?width=320&format=origin`);
    expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('keeps its packages and its built site while a server runs from them', async () => {
    const page = join(tree, 'public', 'new.txt');
    await writeFile(page, '');
    const { status, stderr } = launch('build');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^A server runs from this folder \(process \d+\)/)]);
    expect(await npmWasAsked()).toBe(false);
    await rm(page);
    expect((await fetch(`${server.base}/about`)).status).toBe(200);
  });

  it('has the commands of who runs it', () => {
    const file = join(dirname(server.dataDir), `${randomUUID()}.archive`);
    const { status, stderr } = launch('archive', 'check', file);
    expect([status, stderr]).toEqual([1, expect.stringContaining(file)]);
  });
});

it('is told in one line what to do when the site is not built and nothing here can build it', async () => {
  await rename(join(tree, 'build'), join(tree, 'not-built'));
  const { status, stdout, stderr } = launch('start');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/not built.*"npm run build".*build\//)]);
  // npm would have emptied the folder of packages first.
  expect(await npmWasAsked()).toBe(false);
  expect(launch('build').stderr).toMatch(/could not be installed/);
  expect(await npmWasAsked()).toBe(true);
});
