import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgrestClient } from '@supabase/postgrest-js';
import { expect } from 'vitest';
import { newSecret } from '../../../app/lib/data/ids.ts';
import { fileOf, png } from '../../../packages/backend/tests/storage/files.ts';
import { keysIn, newAddress, type RunningServer } from '../../server.ts';
import { clientOf } from '../client.ts';

export interface SignedInUser {
  id: string;
  token: string;
}

export interface SubmissionLog {
  secret: string;
  by: SignedInUser | null;
  files: string[];
  id?: string;
  media: string[];
  isComplete: boolean;
}

/** A running server; its data folder as seen by this process. */
export type Instance = Pick<RunningServer, 'base' | 'dataDir'>;

const BUCKET = 'case-studies';
const PICTURE = await png(64, 48);

export async function newPerson(instance: Instance): Promise<SignedInUser> {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const { createUser, signIn } = clientOf(instance);
  const { id } = await createUser(account);
  return { id, token: (await signIn(account)).access_token };
}

/** Submits experiments one after the other, each until its first failed step, and logs the acknowledged steps. */
export async function submitWhile(
  isRunning: () => boolean,
  instance: Instance,
  user: SignedInUser | null,
  log: SubmissionLog[],
) {
  while (isRunning()) {
    const submission: SubmissionLog = { secret: newSecret(), by: user, files: [], media: [], isComplete: false };
    log.push(submission);
    await submit(instance, submission).catch(() => {});
    await sleep(100);
  }
}

/** Sends the missing steps of a submission, like the form after a failure. @throws Error at the first failed step */
export async function submit(instance: Instance, submission: SubmissionLog): Promise<void> {
  const client = dataOf(instance, submission);
  if (submission.files.length === 0) submission.files.push(await upload(instance, submission.by));
  const submitter_id = submission.by?.id ?? null;
  const project = { title: 'Killed', description: '<p>Brief</p>', client: '', status: 'draft', submitter_id };
  const created = await client.rpc('create_case_study', project).throwOnError();
  // A secret creates one project, however often it is sent.
  if (submission.id) expect(created.data).toBe(submission.id);
  submission.id = created.data as string;
  if (submission.media.length === 0) {
    const id = randomUUID();
    const url = `${instance.base}/storage/v1/object/public/${BUCKET}/${submission.files[0]}`;
    const row = { id, project_id: submission.id, type: 'image', url, title: '', description: '', order: 0 };
    await client.from('project_media').insert(row).throwOnError();
    submission.media.push(id);
  }
  const texts = { p_id: submission.id, p_understanding: '<p>U</p>', p_actions: '<p>A</p>', p_impact: '<p>I</p>' };
  await client.rpc('save_case_study_metadata', texts).throwOnError();
  submission.isComplete = true;
}

/** Uploads a picture. @returns its name in the bucket */
export async function upload(instance: Instance, user: SignedInUser | null): Promise<string> {
  const name = `images/${randomUUID()}.png`;
  const call = { method: 'POST', body: fileOf(PICTURE, 'image/png'), ...(user && { token: user.token }) };
  const response = await clientOf(instance).send(`/storage/v1/object/${BUCKET}/${name}`, call);
  if (!response.ok) throw new Error(await response.text());
  return name;
}

/** Checks every acknowledged step of every submission, including the bytes of files. */
export async function expectAllStored(instance: Instance, log: readonly SubmissionLog[]): Promise<void> {
  for (const submission of log) {
    for (const name of submission.files) await expectPicture(instance, name);
    if (!submission.id) continue;
    const columns = 'id,created_by,project_media(id),case_study_metadata(understanding,actions,impact)';
    const projects = dataOf(instance, submission).from('projects');
    const { data: project, error } = await projects.select(columns).eq('id', submission.id).single();
    expect(error, submission.id).toBeNull();
    if (submission.by) expect(project!.created_by).toBe(submission.by.id);
    expect(project!.project_media.map(({ id }) => id)).toEqual(expect.arrayContaining(submission.media));
    const texts = { understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>' };
    if (submission.isComplete) expect([project!.case_study_metadata].flat()).toEqual([texts]);
  }
}

/** The ETag is the MD5 of the stored bytes. */
export async function expectPicture({ base }: Instance, name: string): Promise<void> {
  const response = await fetch(`${base}/storage/v1/object/public/${BUCKET}/${name}`);
  expect(response.status, name).toBe(200);
  const digest = createHash('md5').update(await response.bytes());
  expect(response.headers.get('etag'), name).toBe(`"${digest.digest('hex')}"`);
}

const dataOf = ({ base, dataDir }: Instance, { secret, by: user }: SubmissionLog) => {
  const sender = { apikey: keysIn(dataDir).publishable, 'x-draft-secret': secret, 'x-forwarded-for': newAddress() };
  const authorization = user && { authorization: `Bearer ${user.token}` };
  return new PostgrestClient(`${base}/rest/v1`, { headers: { ...sender, ...authorization } });
};
