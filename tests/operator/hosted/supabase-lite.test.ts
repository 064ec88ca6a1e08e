import { randomUUID } from 'node:crypto';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sendSubmission } from '../../../app/features/submissions/model/send.ts';
import { emptySubmission, type Submission, undescribed } from '../../../app/features/submissions/model/submission.ts';
import { newId, newSecret } from '../../../app/lib/data/ids.ts';
import { identityClient } from '../../../packages/backend/tests/auth/identity-client.ts';
import { png } from '../../../packages/backend/tests/storage/files.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { startServer } from '../../server.ts';
import { startLite } from './supabase-lite.ts';

const PASSWORD = 'Xk29-saddle-moon';
const TITLES = ['Singing lamp', 'Quiet kettle', 'Paper whale', 'Lamp for owls'];

const project = forAllTests(startLite);
let picture: string;

const data = (key: string, headers: Record<string, string> = {}) =>
  new PostgrestClient(`${project.url}/rest/v1`, { headers: { apikey: key, ...headers } });
const auth = () => identityClient(`${project.url}/auth/v1`, project.publishable);

/** Uploads a picture as a guest. @returns its URL */
async function upload(folder: string) {
  const key = project.publishable;
  const storage = new StorageClient(`${project.url}/storage/v1`, { apikey: key, authorization: `Bearer ${key}` });
  const bucket = storage.from('case-studies');
  const name = `${folder}/${randomUUID()}.png`;
  const { error } = await bucket.upload(name, new Uint8Array(await png(640, 480)), { contentType: 'image/png' });
  return { error, url: bucket.getPublicUrl(name).data.publicUrl };
}

const page = async (path: string) => {
  const response = await fetch(site.base + path);
  return { status: response.status, text: await response.text() };
};
const titlesOf = ({ text }: { text: string }) => TITLES.filter((title) => text.includes(`Project: ${title}`));

beforeAll(async () => {
  const uploaded = await upload('images');
  expect(uploaded.error).toBeNull();
  picture = uploaded.url;
  const service = data(project.secret);
  for (const [at, title] of TITLES.entries()) {
    const row = { title, description: `<p>The brief of ${title}</p>`, client: 'Acme', status: 'active' };
    const made = await service.from('projects').insert(row).select('id').single().throwOnError();
    const project_id = made.data.id as string;
    const media = { id: randomUUID(), project_id, type: 'image', url: picture, title: '', description: '', order: 0 };
    await service.from('project_media').insert(media).throwOnError();
    const texts = { project_id, category: at % 2 ? 'branding' : 'ai', tags: ['light'], impact: '<p>People smiled</p>' };
    await service.from('case_study_metadata').insert(texts).throwOnError();
  }
});
const site = forAllTests(() =>
  startServer({ SUPABASE_URL: project.url, SUPABASE_PUBLISHABLE_KEY: project.publishable }),
);

describe('the site on Supabase Lite (DATA-19, SCOPE-05)', () => {
  it('lists the projects of that backend by category and by search', async () => {
    const all = await page('/case-studies');
    expect([all.status, titlesOf(all)]).toEqual([200, TITLES]);
    expect(all.text).toContain(`content="${project.url}"`);
    expect(titlesOf(await page('/case-studies?category=branding'))).toEqual(['Quiet kettle', 'Lamp for owls']);
    expect(titlesOf(await page('/case-studies?q=lamp'))).toEqual(['Singing lamp', 'Lamp for owls']);
    expect(titlesOf(await page('/case-studies?q=nothing-like-it'))).toEqual([]);
  });

  it('shows an experiment with its texts and its picture from that backend (DETAIL-01)', async () => {
    const path = /href="(\/case-studies\/[0-9a-f-]{36}\/paper-whale)"/.exec((await page('/case-studies')).text)![1]!;
    const { status, text } = await page(path);
    expect([status, /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([200, 'Paper whale']);
    expect(text).toContain('The brief of Paper whale');
    expect(text).toContain('People smiled');
    const response = await fetch(picture);
    const { format } = await sharp(await response.arrayBuffer()).metadata();
    expect([response.status, response.headers.get('content-type'), format]).toEqual([200, 'image/png', 'png']);
    expect((await page(`/case-studies/${randomUUID()}/x`)).status).toBe(404);
  });

  it('serves a sitemap, a feed and link previews', async () => {
    expect((await page('/sitemap.xml')).text.match(/paper-whale/g)).not.toBeNull();
    for (const title of TITLES) expect((await page('/feed.xml')).text).toContain(title);
    const [, image] = /property="og:image" content="([^"]+)"/.exec((await page('/case-studies')).text)!;
    expect(image!.startsWith(`${site.base}/social/`)).toBe(true);
    const { status, headers } = await fetch(image!);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('lets a guest upload into the guest folder only', async () => {
    expect((await upload('elsewhere')).error).toMatchObject({ message: expect.stringContaining('row-level security') });
  });

  const submissionOf = (title: string): Submission => {
    const image = { id: newId(), type: 'image' as const, url: picture, ...undescribed, isUploading: false, file: null };
    const texts = { brief: '<p>Why</p>', understanding: '<p>What</p>', actions: '<p>How</p>', impact: '<p>So</p>' };
    return { ...emptySubmission(), ...texts, title, category: 'ai', tags: ['light'], media: [image] };
  };
  const asGuest = (headers: Record<string, string>) => data(project.publishable, headers);
  const columns = 'title,status,created_by,project_media(url),case_study_metadata(understanding,impact,category,tags)';
  const stored = async (id: string) =>
    (await data(project.secret).from('projects').select(columns).eq('id', id).single()).data;
  const texts = { understanding: '<p>What</p>', impact: '<p>So</p>', category: 'ai', tags: ['light'] };

  it('accepts a complete submission of a new user, visible to no other user', async () => {
    const client = auth();
    const { data: signedUp, error } = await client.signUp({ email: 'kim@example.com', password: PASSWORD });
    expect(error).toBeNull();
    const { access_token, user } = signedUp.session!;
    const submission = submissionOf('Kim’s lamp');
    const as = (headers: Record<string, string>) =>
      data(project.publishable, { authorization: `Bearer ${access_token}`, ...headers });
    const flow = { auth: client, data: as, dataForGuest: asGuest, finishUploads: async () => submission.media };
    const outcome = await sendSubmission(() => submission, newSecret(), flow);
    expect(outcome).toMatchObject({ media: { stored: 1, of: 1 }, textsStored: true, unfinished: false, closed: false });
    const rows = { project_media: [{ url: picture }], case_study_metadata: texts };
    expect(await stored(outcome.id)).toEqual({ title: 'Kim’s lamp', status: 'draft', created_by: user.id, ...rows });
    const seen = async (client: PostgrestClient) =>
      (await client.from('projects').select('id').eq('id', outcome.id)).data;
    expect(await seen(as({}))).toHaveLength(1);
    expect(await seen(data(project.publishable))).toEqual([]);
    expect(titlesOf(await page('/case-studies'))).toEqual(TITLES);
  });

  // PostgREST passes request headers to every statement, Lite only to functions: policies cannot see the draft secret, so
  // pictures, category and tags of guests are rejected there.
  it('stores project and texts of a guest’s submission, and reports the missing parts', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const submission = submissionOf('A guest’s lamp');
    const flow = { auth: auth(), data: asGuest, dataForGuest: asGuest, finishUploads: async () => submission.media };
    const outcome = await sendSubmission(() => submission, newSecret(), flow);
    const there = await stored(outcome.id);
    const { understanding, impact } = texts;
    expect(there).toMatchObject({ title: 'A guest’s lamp', case_study_metadata: { understanding, impact } });
    const filed = [there!.case_study_metadata].flat()[0]!.category !== null;
    expect([outcome.media.stored, outcome.textsStored]).toEqual([there!.project_media.length, filed]);
  });
});
