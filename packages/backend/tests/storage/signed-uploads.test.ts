import type { StorageClient } from '@supabase/storage-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { fileOf, newPath, png } from './files.ts';
import { openStorageServer } from './storage-server.ts';

const BUCKET = 'case-studies';
const ROLES = ['an anonymous visitor', 'a signed-in user', 'an admin', 'the service key'] as const;
type Role = (typeof ROLES)[number];

describe.skipIf(shared)('signed upload URLs (F2)', () => {
  const server = forAllTests(() => openStorageServer());
  beforeAll(() => server.service.createBucket('secret', { public: false }));

  async function signedInAs(role: Role): Promise<{ client: StorageClient; userId: string | null }> {
    if (role === 'an anonymous visitor') return { client: server.client(), userId: null };
    if (role === 'the service key') return { client: server.client(server.keys.secret), userId: null };
    const { id, token } = await server.person({ admin: role === 'an admin' });
    return { client: server.client(token), userId: id };
  }
  const ownerOf = async (name: string) =>
    (await server.db.query('select owner_id from storage.objects where name = $1', [name])).rows;

  it.each(ROLES)('are returned to %s, who may insert the object, and record it as theirs', async (role) => {
    const { client, userId } = await signedInAs(role);
    const path = newPath();
    const { data, error } = await client.from(BUCKET).createSignedUploadUrl(path);
    expect(error).toBeNull();
    expect(await ownerOf(path)).toEqual([]);
    const visitor = server.client().from(BUCKET);
    const picture = fileOf(await png(), 'image/png');
    expect((await visitor.uploadToSignedUrl(path, data!.token, picture)).error).toBeNull();
    expect(await ownerOf(path)).toEqual([{ owner_id: userId }]);
    expect((await visitor.uploadToSignedUrl(path, data!.token, picture)).error).toMatchObject({ statusCode: '409' });
    const elsewhere = await visitor.uploadToSignedUrl(newPath(), data!.token, picture);
    expect(elsewhere.error).toMatchObject({ code: 'InvalidSignature' });
    const asDownload = await fetch(`${server.url}/object/sign/${BUCKET}/${path}?token=${data!.token}`);
    expect(await asDownload.json()).toMatchObject({ code: 'InvalidSignature' });
  });

  it.each(ROLES)('are refused to %s for an existing object', async (role) => {
    const { client } = await signedInAs(role);
    const { error } = await client.from(BUCKET).createSignedUploadUrl(await server.uploadPicture());
    expect(error).toMatchObject({ statusCode: '409', code: 'KeyAlreadyExists' });
  });

  it.each(ROLES)('follow the insert policies for %s in other places', async (role) => {
    const { client } = await signedInAs(role);
    const status = async (bucket: string, path: string) =>
      (await client.from(bucket).createSignedUploadUrl(path)).error?.statusCode ?? '200';
    const allowed = role === 'the service key' ? '200' : '403';
    expect(await status('secret', newPath())).toBe(allowed);
    expect(await status(BUCKET, 'images/mine.png')).toBe(allowed);
    expect(await status(BUCKET, newPath('svg'))).toBe(allowed);
    expect(await status('nowhere', newPath())).toBe('404');
  });

  it('for replacing an object are returned to callers who may read and update it', async () => {
    const path = await server.uploadPicture();
    for (const role of ROLES) {
      const { client } = await signedInAs(role);
      const { error } = await client.from(BUCKET).createSignedUploadUrl(path, { upsert: true });
      expect(error?.statusCode ?? '200', role).toBe(role === 'the service key' ? '200' : '403');
    }
  });

  it('keep the second factor of an editor who has one', async () => {
    const { id, token } = await server.person({ admin: true, aal: 'aal2' });
    const factor = "insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')";
    await server.db.query(factor, [id]);
    const path = `${crypto.randomUUID()}.vtt`;
    const { data, error } = await server.client(token).from('captions').createSignedUploadUrl(path);
    expect(error).toBeNull();
    const captions = fileOf(Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'), 'text/vtt');
    expect((await server.client().from('captions').uploadToSignedUrl(path, data!.token, captions)).error).toBeNull();
  });

  it('follow the policies for the app_metadata of their signer', async () => {
    await server.db.script(`create policy by_team on storage.objects for insert to authenticated
      with check (bucket_id = 'secret' and auth.jwt() -> 'app_metadata' ->> 'team' = 'films')`);
    const files = server.client((await server.person({ app_metadata: { team: 'films' } })).token).from('secret');
    const path = newPath('txt');
    const { data } = await files.createSignedUploadUrl(path);
    expect((await server.client().from('secret').uploadToSignedUrl(path, data!.token, 'text')).error).toBeNull();
  });

  it('are refused without a credential', async () => {
    const answer = await fetch(`${server.url}/object/upload/sign/${BUCKET}/${newPath()}`, { method: 'POST' });
    expect(answer.status).toBe(400);
  });
});
