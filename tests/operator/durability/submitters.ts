import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import { expect } from 'vitest';
import { newAddress } from '../../server.ts';

/** A signed-in user. */
export interface Person {
  id: string;
  token: string;
}

/** Acknowledged steps of a submission. */
export interface Answered {
  secret: string;
  /** Null for a guest. */
  by: Person | null;
  files: string[];
  id?: string;
  media: string[];
  /** True when all texts are stored. */
  whole: boolean;
}

/** A running site with its keys. */
export interface Instance {
  base: string;
  publishable: string;
  secret: string;
}

const BUCKET = 'case-studies';
const PICTURE = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#ee3a12' } })
  .png()
  .toBuffer();

/** Creates an account and signs in. */
export async function newPerson({ base, publishable, secret }: Instance): Promise<Person> {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const auth = (key: string) =>
    new AuthClient({
      url: `${base}/auth/v1`,
      headers: { apikey: key, authorization: `Bearer ${key}`, 'x-forwarded-for': newAddress() },
      persistSession: false,
      autoRefreshToken: false,
    });
  expect((await auth(secret).admin.createUser({ ...account, email_confirm: true })).error).toBeNull();
  const { data, error } = await auth(publishable).signInWithPassword(account);
  expect(error).toBeNull();
  return { id: data.user!.id, token: data.session!.access_token };
}

/** Describes the site of a running server. @param dataDir its data folder as seen by this process */
export async function instanceOf({ base }: { base: string }, dataDir: string): Promise<Instance> {
  return { base, ...JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) };
}

/** Submits experiments one after the other, each until its first failed step, and logs the acknowledged steps. */
export async function submitWhile(goesOn: () => boolean, instance: Instance, by: Person | null, log: Answered[]) {
  while (goesOn()) {
    const one: Answered = { secret: randomBytes(32).toString('base64url'), by, files: [], media: [], whole: false };
    log.push(one);
    await submit(instance, one).catch(() => {});
  }
}

/** Sends the missing steps of a submission, like the form after a failure. @throws Error at the first failed step */
export async function submit(instance: Instance, one: Answered): Promise<void> {
  const client = dataOf(instance, one);
  if (one.files.length === 0) one.files.push(await upload(instance, one.by));
  const created = await client
    .rpc('create_case_study', {
      title: 'Killed',
      description: '<p>Brief</p>',
      client: '',
      status: 'draft',
      submitter_id: one.by?.id ?? null,
    })
    .throwOnError();
  // A secret creates one project, however often it is sent.
  if (one.id) expect(created.data).toBe(one.id);
  one.id = created.data as string;
  if (one.media.length === 0) {
    const id = randomUUID();
    const url = `${instance.base}/storage/v1/object/public/${BUCKET}/${one.files[0]}`;
    const row = { id, project_id: one.id, type: 'image', url, title: '', description: '', order: 0 };
    await client.from('project_media').insert(row).throwOnError();
    one.media.push(id);
  }
  const texts = { p_id: one.id, p_understanding: '<p>U</p>', p_actions: '<p>A</p>', p_impact: '<p>I</p>' };
  await client.rpc('save_case_study_metadata', texts).throwOnError();
  one.whole = true;
}

/** Uploads a picture. @returns its name in the bucket */
export async function upload({ base, publishable }: Instance, by: Person | null): Promise<string> {
  const authorization = `Bearer ${by?.token ?? publishable}`;
  const headers = { apikey: publishable, authorization, 'x-forwarded-for': newAddress() };
  const name = `images/${randomUUID()}.png`;
  const file = new Blob([new Uint8Array(PICTURE)], { type: 'image/png' });
  const { error } = await new StorageClient(`${base}/storage/v1`, headers).from(BUCKET).upload(name, file);
  if (error) throw error;
  return name;
}

/** Checks every acknowledged step of every submission, including the bytes of files. */
export async function expectAllThere(instance: Instance, log: readonly Answered[]): Promise<void> {
  for (const one of log) {
    for (const name of one.files) await expectPicture(instance, name);
    if (!one.id) continue;
    const { data: project, error } = await dataOf(instance, one)
      .from('projects')
      .select('id,created_by,project_media(id),case_study_metadata(understanding,actions,impact)')
      .eq('id', one.id)
      .single();
    expect(error, one.id).toBeNull();
    if (one.by) expect(project!.created_by).toBe(one.by.id);
    expect(project!.project_media.map(({ id }) => id)).toEqual(expect.arrayContaining(one.media));
    const texts = { understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>' };
    if (one.whole) expect([project!.case_study_metadata].flat()).toEqual([texts]);
  }
}

/** The ETag is the MD5 of the stored bytes. */
export async function expectPicture({ base }: Instance, name: string): Promise<void> {
  const answer = await fetch(`${base}/storage/v1/object/public/${BUCKET}/${name}`);
  expect(answer.status, name).toBe(200);
  const digest = createHash('md5')
    .update(await answer.bytes())
    .digest('hex');
  expect(answer.headers.get('etag'), name).toBe(`"${digest}"`);
}

const dataOf = ({ base, publishable }: Instance, { secret, by }: Answered) =>
  new PostgrestClient(`${base}/rest/v1`, {
    headers: {
      apikey: publishable,
      'x-draft-secret': secret,
      'x-forwarded-for': newAddress(),
      ...(by && { authorization: `Bearer ${by.token}` }),
    },
  });
