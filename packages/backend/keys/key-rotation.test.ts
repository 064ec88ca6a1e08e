import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadToken, verifyToken } from '../http/caller.ts';
import { type KeyPlaces, readSigningKeys, type StoredKey, writeSigningKeys } from './key-file.ts';
import { followKeys, rotateSigningKey } from './key-rotation.ts';
import { type Keys, loadKeys } from './keys.ts';

const NO_KEYS = { publishableKey: null, secretKey: null, jwtSecret: null };
const TOKEN_SECONDS = 3600;
const silent = pino({ level: 'silent' });

let folder: string;
let places: KeyPlaces;
let keys: Keys;
let stop: (() => Promise<void>) | null;
const changes: string[][] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'madhouse-keys-'));
  places = { file: join(folder, 'keys.json'), signingFile: null, tokenSeconds: TOKEN_SECONDS };
  keys = await loadKeys(places.file, NO_KEYS, places);
  changes.length = 0;
  stop = null;
});
afterEach(async () => {
  await stop?.();
  await rm(folder, { recursive: true, force: true });
});

const follow = (log = silent) => {
  stop = followKeys(keys, places, log, async (_, kids) => void changes.push(kids), { everyMs: 10 });
};
const tokenOf = ({ signing: [{ alg, kid, privateKey }] }: Keys) =>
  new SignJWT({ role: 'authenticated' }).setProtectedHeader({ alg, kid }).setExpirationTime('1h').sign(privateKey);
const kids = () => keys.signing.map(({ kid }) => kid);
const until = (isTrue: () => boolean) => expect.poll(isTrue).toBe(true);
const refused = (token: string) => expect(verifyToken(token, keys)).rejects.toBeInstanceOf(BadToken);

describe('a rotation', () => {
  it('writes a file only its owner can read, without private parts of retired keys', async () => {
    const { publishable, secret, sealing } = JSON.parse(await readFile(places.file, 'utf8'));
    await rotateSigningKey(places, { revoke: false });
    expect((await stat(places.file)).mode & 0o777).toBe(0o600);
    const after = JSON.parse(await readFile(places.file, 'utf8'));
    expect(after).toMatchObject({ publishable, secret, sealing });
    expect(after.signing.map((key: StoredKey) => [typeof key.d, typeof key.retiredAt])).toEqual([
      ['string', 'undefined'],
      ['undefined', 'string'],
    ]);
  });

  it('never exposes a partial file to concurrent readers', async () => {
    let reads = 0;
    let over = false;
    const reader = (async () => {
      for (; !over; reads++) JSON.parse(await readFile(places.file, 'utf8'));
    })();
    for (let count = 0; count < 20; count++) await rotateSigningKey(places, { revoke: false });
    over = true;
    await reader;
    expect(reads).toBeGreaterThan(20);
    expect(await readSigningKeys(places)).toHaveLength(21);
  });

  it('removes a retired key when its last token has expired', async () => {
    const old = await tokenOf(keys);
    await rotateSigningKey(places, { revoke: false });
    follow();
    await until(() => changes.length === 1);
    const [signer, retired] = (await readSigningKeys(places)) as [StoredKey, StoredKey];
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    await writeSigningKeys(places, [signer, { ...retired, retiredAt: ago(TOKEN_SECONDS) }]);
    await new Promise((done) => setTimeout(done, 100));
    expect(kids()).toHaveLength(2);
    await writeSigningKeys(places, [signer, { ...retired, retiredAt: ago(TOKEN_SECONDS + 120) }]);
    await until(() => changes.length === 2);
    expect(kids()).toEqual([signer.kid]);
    await refused(old);
    await rotateSigningKey(places, { revoke: false });
    expect((await readSigningKeys(places)).map(({ kid }) => kid)).not.toContain(retired.kid);
  });

  it('removes an expired key although the file does not change', async () => {
    const stored = await readSigningKeys(places);
    const rotated = await rotateSigningKey(places, { revoke: true });
    const retiredAt = new Date(Date.now() - (TOKEN_SECONDS + 87) * 1000).toISOString();
    await writeSigningKeys(places, [...rotated, { ...stored[0]!, retiredAt }]);
    follow();
    await until(() => changes.length === 2);
    expect(changes.map((list) => list.length)).toEqual([2, 1]);
  });

  it('is recorded as soon as the database accepts it', async () => {
    let failures = 3;
    const onChange = async (_: string, valid: string[]) => {
      if (failures-- > 0) throw new Error('the database is away');
      changes.push(valid);
    };
    stop = followKeys(keys, places, silent, onChange, { everyMs: 10 });
    const [first] = await rotateSigningKey(places, { revoke: true });
    await until(() => failures < 3);
    await rotateSigningKey(places, { revoke: true });
    await until(() => changes.length === 2);
    expect(changes).toEqual([[first!.kid], kids()]);
  });
});

describe('an invalid key file', () => {
  it('changes nothing in a running server and is logged once', async () => {
    const lines: string[] = [];
    const old = await tokenOf(keys);
    follow(pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }));
    await writeFile(places.file, '{ "signing": [');
    await until(() => lines.length > 0);
    await new Promise((done) => setTimeout(done, 60));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('keys.json');
    expect(await verifyToken(old, keys)).toBeDefined();
  });

  it('prevents the start with a one-line error', async () => {
    await writeSigningKeys(places, []);
    await expect(loadKeys(places.file, NO_KEYS, places)).rejects.toThrow(/^No key can sign tokens\./);
    const signingFile = join(folder, 'signing_keys.json');
    const message = /signing_keys_path names .*npm run keys -- rotate/;
    await expect(loadKeys(places.file, NO_KEYS, { signingFile })).rejects.toThrow(message);
    await writeFile(signingFile, '[{"kty":"oct","k":"AAAA","d":"AAAA"}]');
    await expect(loadKeys(places.file, NO_KEYS, { signingFile })).rejects.toThrow(/must be ES256 or RS256/);
  });
});

describe('signing_keys_path', () => {
  it('provides the project’s keys and is rotated in place', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const ours = { kid: 'from-the-dashboard', alg: 'RS256', key_ops: ['sign', 'verify'] };
    const projectKey = { ...(await exportJWK(privateKey)), ...ours };
    places = { ...places, signingFile: join(folder, 'signing_keys.json') };
    await writeFile(places.signingFile!, JSON.stringify([projectKey]));
    keys = await loadKeys(places.file, NO_KEYS, places);
    const old = await tokenOf(keys);
    expect(kids()).toEqual(['from-the-dashboard']);
    expect(Object.keys(keys.signing[0].publicJwk).sort()).toEqual(['alg', 'e', 'key_ops', 'kid', 'kty', 'n', 'use']);
    expect(await verifyToken(old, keys)).toBeDefined();

    const before = await readFile(places.file, 'utf8');
    await rotateSigningKey(places, { revoke: false });
    expect(await readFile(places.file, 'utf8')).toBe(before);
    expect((await stat(places.signingFile!)).mode & 0o777).toBe(0o600);
    keys = await loadKeys(places.file, NO_KEYS, places);
    expect(keys.signing.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
    expect(await verifyToken(old, keys)).toBeDefined();
  });

  it('creates the named file when it is missing', async () => {
    places = { ...places, signingFile: join(folder, 'signing_keys.json') };
    await rotateSigningKey(places, { revoke: false });
    expect((await loadKeys(places.file, NO_KEYS, places)).signing).toHaveLength(1);
  });
});
