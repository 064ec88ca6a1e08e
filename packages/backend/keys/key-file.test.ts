import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSamlKey } from '../auth/sso/service-provider.ts';
import { changeKeyFile, readKeyFile, requireKeyParts } from './key-file.ts';
import { loadKeys } from './keys.ts';
import { addServiceKey, serviceKeys } from './service-keys.ts';

const NO_KEYS = { publishableKey: null, secretKey: null, jwtSecret: null };
/** Needs root on Linux: mounts in a mount namespace of its own. */
const MOUNTS =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'madhouse-key-file-'));
  file = join(folder, 'shared', 'keys.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('is created once by concurrent starts, and leaves no temporary files', async () => {
  const created = await Promise.all(Array.from({ length: 20 }, () => readKeyFile(file)));
  expect(new Set(created.map(({ secret, sealing }) => secret + sealing)).size).toBe(1);
  expect(await readdir(join(folder, 'shared'))).toEqual(['keys.json', 'keys.json.lockfile']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('reads the key file of an earlier release, and its service key stays the server’s own', async () => {
  const { secret, ...rest } = await readKeyFile(file);
  await writeFile(file, JSON.stringify({ ...rest, secret }));
  const keys = await loadKeys(file, NO_KEYS);
  expect(keys.services).toEqual([{ name: 'server', key: secret }]);
  expect(keys.secret).toBe(secret);
  expect(await serviceKeys(file)).toEqual([{ name: 'server', key: secret, madeAt: null }]);
});

it('applies all concurrent changes', async () => {
  await readKeyFile(file);
  const names = Array.from({ length: 8 }, (_, at) => `key ${at}`);
  await Promise.all(names.map((name) => addServiceKey(file, name)));
  expect((await serviceKeys(file)).map(({ name }) => name).sort()).toEqual([...names, 'server']);
});

it('contains the SAML key after its first use, and adopts that of an earlier release', async () => {
  const [first, second] = await Promise.all([loadSamlKey(file), loadSamlKey(file)]);
  expect(second).toEqual(first);
  expect(first.privateKey).toContain('BEGIN PRIVATE KEY');
  const other = join(folder, 'other', 'keys.json');
  await mkdir(join(folder, 'other'));
  await writeFile(join(folder, 'other', 'saml-key.pem'), first.privateKey);
  expect(await loadSamlKey(other)).toEqual(first);
  await rm(join(folder, 'other', 'saml-key.pem'));
  expect(await loadSamlKey(other)).toEqual(first);
});

it('uses the service key of the environment instead of the server’s own, and keeps all other keys', async () => {
  const key = await addServiceKey(file, 'reporting');
  const secretKey = 'from the environment'.repeat(2);
  const keys = await loadKeys(file, { ...NO_KEYS, secretKey });
  expect(keys.services).toEqual([
    { name: 'server', key: secretKey },
    { name: 'reporting', key },
  ]);
});

it.skipIf(!MOUNTS)(
  'accepts a complete read-only key file, and rejects an incomplete one with a line that names the missing key',
  async () => {
    const whole = await readKeyFile(file);
    const place = join(folder, 'shared');
    const sh = (command: string) => execFileSync('sh', ['-c', command]);
    sh(`mount --bind ${place} ${place}`);
    try {
      sh(`mount -o remount,ro,bind ${place}`);
      expect(await readKeyFile(file)).toEqual(whole);
      const message = /^The key file \S+ lacks saml and cannot be written \(EROFS\)\. /;
      await expect(requireKeyParts(file, ['saml'])).rejects.toThrow(message);
      await expect(addServiceKey(file, 'reporting')).rejects.toThrow(/has to be changed and cannot be written/);
      await expect(readKeyFile(join(place, 'others.json'))).rejects.toThrow(/does not exist and cannot be written/);
    } finally {
      sh(`umount ${place}`);
    }
    await changeKeyFile(file, ({ sealing: _, ...rest }) => rest as typeof whole);
    expect((await readKeyFile(file)).sealing).toMatch(/^[\w-]{43}$/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ secret: whole.secret });
  },
);
