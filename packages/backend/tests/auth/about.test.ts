import { dirname, join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { silent } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import type { KeyPlaces } from '../../keys/key-file.ts';
import { followKeys, rotateSigningKey } from '../../keys/key-rotation.ts';
import { openAuthServer, signedUp, WIDE } from './auth-server.ts';

const server = forAllTests(() => openAuthServer(WIDE));

describe('sign-in settings endpoint', () => {
  it('returns email alone when nothing else is configured', async () => {
    expect(await (await server.call('/settings')).json()).toEqual({
      external: { anonymous_users: false, email: true, phone: false, google: false, github: false },
      disable_signup: false,
      mailer_autoconfirm: true,
      phone_autoconfirm: true,
      sms_provider: '',
      saml_enabled: false,
      manual_linking_enabled: false,
      mfa: { totp: false, phone: false },
    });
  });

  it('returns every enabled method and no secret', async () => {
    const secret = 'a-secret-that-is-not-shown';
    await using all = await openAuthServer(
      `${WIDE}enable_signup = false
enable_confirmations = true
[auth]
enable_signup = false
enable_anonymous_sign_ins = true
enable_manual_linking = true
[auth.mfa.totp]
enroll_enabled = true
[auth.mfa.phone]
enroll_enabled = true
[auth.sms]
enable_signup = true
enable_confirmations = true
[auth.hook.send_sms]
enabled = true
uri = "http://127.0.0.1:9/${secret}"
secrets = "v1,whsec_${Buffer.from(secret).toString('base64')}"
[auth.saml]
enabled = true
[auth.captcha]
enabled = true
secret = "${secret}"
[auth.external.google]
enabled = true
client_id = "${secret}"
secret = "${secret}"
[auth.external.company]
enabled = true
client_id = "id"
secret = "${secret}"
url = "https://login.company.example"
[auth.external.apple]
enabled = false
`,
      { db: server.db },
    );
    const enabled = { anonymous_users: true, phone: true, google: true, company: true };
    const external = { ...enabled, email: false, github: false, apple: false };
    const signUps = { disable_signup: true, mailer_autoconfirm: false, phone_autoconfirm: false, sms_provider: 'hook' };
    const extras = { saml_enabled: true, manual_linking_enabled: true, mfa: { totp: true, phone: true } };
    const text = await (await all.call('/settings')).text();
    expect(JSON.parse(text)).toEqual({ external, ...signUps, ...extras });
    expect(text).not.toContain(secret);
  });
});

it('reports its health', async () => {
  const about = { version: expect.any(String), name: 'GoTrue', description: expect.any(String) };
  expect(await server.answer('/health')).toEqual([200, about]);
});

const keySet = async () =>
  ((await (await server.call('/.well-known/jwks.json')).json()) as { keys: Record<string, unknown>[] }).keys;

it('a key rotation keeps users signed in, and publishes the old and the new key; after --revoke only the new (AUTH-19)', async () => {
  const file = join(dirname(server.outbox), 'keys.json');
  const places: KeyPlaces = { file, signingFile: null, tokenSeconds: 3600 };
  const changes: string[][] = [];
  const onChange = async (_: string, kids: string[]) => void changes.push(kids);
  const stop = followKeys(server.keys, places, silent, onChange, { everyMs: 10 });
  const followed = (count: number) => expect.poll(() => changes.length).toBeGreaterThanOrEqual(count);
  const { client: person, session } = await signedUp(server);
  const old = session.access_token;
  const oldKid = decodeProtectedHeader(old).kid!;

  await rotateSigningKey(places, { revoke: false });
  await followed(1);
  const [newKey, oldKey, ...none] = await keySet();
  expect(none).toEqual([]);
  expect([newKey!['kid'] === oldKid, oldKey!['kid']]).toEqual([false, oldKid]);
  for (const key of [newKey!, oldKey!]) expect(key).not.toHaveProperty('d');
  expect((await server.client().getUser(old)).error).toBeNull();
  expect((await server.client().getClaims(old)).error).toBeNull();
  const refreshed = (await person.refreshSession()).data.session!.access_token;
  expect(decodeProtectedHeader(refreshed).kid).toBe(newKey!['kid']);
  expect((await server.client().getClaims(refreshed)).error).toBeNull();

  await rotateSigningKey(places, { revoke: true });
  await followed(2);
  expect(await keySet()).toHaveLength(1);
  for (const token of [old, refreshed])
    expect((await server.client().getUser(token)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
  // Sessions continue, because refresh tokens are not signed with these keys.
  const again = (await person.refreshSession()).data.session!.access_token;
  expect((await server.client().getUser(again)).error).toBeNull();
  await stop();
});
