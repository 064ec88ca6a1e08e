import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileOf, newPath, png } from '../../../packages/backend/tests/storage/files.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { linkInMail } from '../../outbox.ts';
import { startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { folderForTests } from '../folder-for-tests.ts';

const LARGEST_ARCHIVE = 100e6;

const folder = folderForTests();
/** A PATH that contains only Node. */
const path = join(folder, 'bin');
let tree: string;
let archive: string;

beforeAll(async () => {
  archive = /Wrote (\S+)/.exec(execFileSync(process.execPath, ['launcher/release.ts'], { encoding: 'utf8' }))![1]!;
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  tree = join(folder, (await readdir(folder))[0]!);
  await mkdir(path);
  await symlink(process.execPath, join(path, 'node'));
});

const launch = (words: readonly string[], settings: Record<string, string> = {}) =>
  spawnSync(process.execPath, ['launch.mjs', ...words], {
    cwd: tree,
    encoding: 'utf8',
    env: { PATH: path, HOME: process.env['HOME'], ...settings },
  });

describe('a release, unpacked on a machine that has only Node', () => {
  const server = forAllTests(() => startServer({ PATH: path, SEED: 'none' }, undefined, { tree }));
  const client = clientOf(server);

  it('is one file per platform, of at most 100 MB', async () => {
    const name = new RegExp(`^release.madhouse-\\d+\\.\\d+\\.\\d+-${process.platform}.*-${process.arch}\\.tar\\.gz$`);
    expect(archive).toMatch(name);
    expect((await stat(archive)).size).toBeLessThan(LARGEST_ARCHIVE);
  });

  it.each(['/', '/case-studies', '/case-study-upload', '/sign-in', '/admin', '/sitemap.xml'])(
    'serves %s',
    async (address) => {
      expect((await fetch(server.base + address)).status).toBe(200);
    },
  );

  it('contains the licences of its fonts and packages, and the site links those of the fonts', async () => {
    const fonts = await (await fetch(`${server.base}/font-licences.txt`)).text();
    expect(fonts.match(/SIL OPEN FONT LICENSE/gi)!.length).toBeGreaterThanOrEqual(4);
    const packages = await readFile(join(tree, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['pino', 'sharp', '@img/sharp-libvips', 'react-dom', '@tiptap/core'])
      expect(packages).toMatch(new RegExp(`^${name}[^ ]* \\d+\\.\\d+\\.\\d+: \\S+`, 'm'));
  });

  it('renders link previews', async () => {
    const html = await (await fetch(`${server.base}/`)).text();
    const address = /property="og:image" content="https?:\/\/[^/"]+([^"]+)"/.exec(html)![1]!;
    const response = await fetch(server.base + address);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('signs users in and sends e-mails', async () => {
    const user = { email: `${randomUUID()}@example.com`, password: 'tangerine bicycle' };
    await client.createUser(user);
    await client.signIn(user);
    expect((await client.send('/auth/v1/recover', { json: { email: user.email } })).status).toBe(200);
    expect(await linkInMail(server.dataDir, user.email, 'recovery')).toContain('/confirm?');
  });

  it('stores a picture and renders variants of it', async () => {
    const name = `case-studies/${newPath()}`;
    const init = { method: 'POST', body: fileOf(await png(640, 480), 'image/png') };
    expect((await client.asService(`/storage/v1/object/${name}`, init)).status).toBe(200);
    const made = await client.send(`/storage/v1/render/image/public/${name}?width=320&format=origin`);
    expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('has only the operator commands', () => {
    const file = join(dirname(server.dataDir), `${randomUUID()}.archive`);
    const { status, stderr } = launch(['archive', 'check', file]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(file)]);
    const unknown = launch(['test']).stderr.trim();
    expect(unknown).toBe('There is no command "test". Use one of: start, migrate, keys, archive.');
  });
});

it('refuses to start with SAML enabled and without its optional library, and explains how to install it', async () => {
  const project = join(folder, 'project');
  await cp(join(tree, 'supabase'), project, { recursive: true });
  const settings = join(project, 'madhouse.toml');
  const written = await readFile(settings, 'utf8');
  await writeFile(settings, written.replace('[auth.saml]\nenabled = false', '[auth.saml]\nenabled = true'));
  const DATA_DIR = join(folder, 'data');
  const { status, stderr } = launch(['start'], { PORT: '0', SEED: 'none', SUPABASE_DIR: project, DATA_DIR });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Cannot start: \[auth\.saml\] is enabled.*"npm install --no-save @node-saml\/node-saml@\d/m);
});
