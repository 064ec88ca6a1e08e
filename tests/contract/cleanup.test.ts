import { randomUUID } from 'node:crypto';
import { PostgrestClient } from '@supabase/postgrest-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyUpload, type Upload, uploadProject } from '../../app/features/projects/model/upload.ts';
import {
  type CleanupStep,
  deleteAllCaseStudies,
  readCleanupOverview,
  restoreCleanup,
} from '../../app/features/setup/model/cleanup.ts';
import type { ApiError } from '../../app/lib/data/api-error.ts';
import { newId } from '../../app/lib/data/ids.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

let boss: { id: string; token: string };
let nonAdmin: { id: string; token: string };

const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  boss = await api.admin('boss@example.com');
  nonAdmin = await api.person();
});

async function signedIn(minutesAgo: number): Promise<string> {
  const session = randomUUID();
  const ADD_SESSION = `insert into auth.sessions (id, user_id, created_at) values ($1, $2, now() - make_interval(mins => $3))`;
  await api.db.query(ADD_SESSION, [session, boss.id, minutesAgo]);
  return api.token({ sub: boss.id, role: 'authenticated', session_id: session });
}

const upload = (title: string, change: Partial<Upload['fields']> = {}): Upload => {
  const empty = emptyUpload();
  return { ...empty, fields: { ...empty.fields, title, status: 'active', ...change } };
};
const stored = async () => (await api.db.query(`select title, description, created_by from public.projects`)).rows;

describe('simple upload', () => {
  it('stores whole projects with the media in order, and sanitizes texts (UPLOAD-08)', async () => {
    const admin = api.client(boss.token);
    const id = newId();
    const media = [
      { key: '1', type: 'image' as const, url: 'https://pictures.example/1.png', title: 'First', alt: null },
      { key: '2', type: 'demo' as const, url: 'https://demo.example/', title: 'Second', alt: null },
    ];
    const description = '<p onclick="alert(1)">Kept<script>alert(1)</script></p>';
    const sent = { ...upload('Clean', { category: 'ai', tags: ['a', 'b'], description }), media };
    for (const _ of ['sent', 'sent again']) await uploadProject(admin, id, sent);
    const parts = 'description,case_study_metadata(category,tags,brief),project_media(title,order)';
    const { data } = await api.client().from('projects').select(parts).eq('id', id).single();
    const metadata = { category: 'ai', tags: ['a', 'b'], brief: '<p>Kept</p>' };
    expect(data).toMatchObject({ description: '<p>Kept</p>', case_study_metadata: metadata });
    const byOrder = (one: { order: number }, other: { order: number }) => one.order - other.order;
    const titles = data!.project_media.toSorted(byOrder);
    expect(titles.map(({ title }: { title: string }) => title)).toEqual(['First', 'Second']);
  });

  it('returns the same error to guests, users and expired tokens, and stores nothing (UPLOAD-07, UPLOAD-08)', async () => {
    const over = await api.token({ sub: boss.id, role: 'authenticated', session_id: randomUUID() });
    const expired = await api.token({ sub: boss.id, role: 'authenticated' }, Math.floor(Date.now() / 1000) - 3600);
    const before = await stored();
    const reason = 'Could not authenticate to create project';
    for (const token of [null, nonAdmin.token, over, expired, 'nonsense'])
      await expect(uploadProject(api.client(token), newId(), upload('Refused')), String(token)).rejects.toThrow(reason);
    expect(await stored()).toEqual(before);
  });

  it('does not treat an empty response as success (ERR-02)', async () => {
    const empty = new PostgrestClient(api.url, { fetch: async () => Response.json(null) });
    await expect(uploadProject(empty, newId(), upload('Unheard'))).rejects.toThrow(/^No data returned from API$/);
  });

  it('returns the database’s reason for a refusal, as a 4xx', async () => {
    const admin = api.client(boss.token);
    const bad = upload('Bad', { tags: ['x'.repeat(61)] });
    await expect(uploadProject(admin, newId(), bad)).rejects.toThrow(/tags are at most 500, of 1 to 60 characters/);
    for (const body of [{}, { project_id: newId(), fields: {} }])
      expect([400, 404]).toContain((await admin.rpc('upload_project', body)).status);
  });
});

describe('cleanup', () => {
  const steps: [CleanupStep, number, boolean][] = [];
  const wipe = (client: Client) => deleteAllCaseStudies(client, (...step) => steps.push(step));
  const refusal = async (client: Client) => (await wipe(client).catch((error) => error)) as ApiError;

  it('reports why it does not start, and deletes nothing (CLEAN-10)', async () => {
    await uploadProject(api.client(boss.token), newId(), upload('There to be deleted'));
    const before = await stored();
    const reason = 'Only an admin can delete all case studies. Nothing was deleted.';
    for (const token of [null, nonAdmin.token])
      expect(await refusal(api.client(token))).toMatchObject({ reason, code: expect.not.stringContaining('PT403') });
    const stale = { reason: expect.stringContaining('Sign in again'), code: 'PT403' };
    expect(await refusal(api.client(await signedIn(11)))).toMatchObject(stale);
    expect(steps).toEqual([]);
    expect(await stored()).toEqual(before);
    expect(await readCleanupOverview(api.client(nonAdmin.token))).toBeNull();
    await expect(restoreCleanup(api.client(nonAdmin.token), newId())).rejects.toThrow(/Only an admin/);
  });

  it('reports a reason when the server does not respond', async () => {
    const headers = { apikey: api.keys.publishable, authorization: `Bearer ${await signedIn(0)}` };
    const withoutDelete: typeof fetch = async (input, init) => {
      if (init?.method === 'DELETE') throw new TypeError('Failed to fetch');
      return fetch(input, init);
    };
    const client = new PostgrestClient(api.url, { headers, fetch: withoutDelete });
    expect(await refusal(client)).toMatchObject({ message: 'Error deleting media: Unknown error occurred' });
  });
});
