import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../server.ts';

const KILLS = 20;
const SUBMITTERS = 3;

/** What one submission was told is done. Only what was answered counts. */
interface Answered {
  secret: string;
  id?: string;
  files: string[];
  media: string[];
  metadata: boolean;
}

it(`keeps every answered step of every submission through ${KILLS} kills (SUBMIT-38..40)`, {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-kill-'));
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#ee3a12' } })
    .png()
    .toBuffer();
  const log: Answered[] = [];
  let server = await startServer({ SEED: 'none', TRUST_PROXY: '1' }, folder);
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const running = server;
      const before = log.length;
      const key = await publishableKeyOf(running.base);
      const submitters = Array.from({ length: SUBMITTERS }, () => submitUntilKilled(running, key, picture, log));
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 500));
      // On a busy machine nobody may have got through by then.
      while (log.filter((one) => one.metadata).length < kill + 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await running.stop({ keep: true, signal: 'SIGKILL' });
      await Promise.all(submitters);
      server = await startServer({ SEED: 'none', TRUST_PROXY: '1' }, folder);
      await expectAllThere(server, await publishableKeyOf(server.base), log.slice(before));
    }
    // What came through one kill came through all the later ones.
    await expectAllThere(server, await publishableKeyOf(server.base), log);
    const whole = log.filter((one) => one.metadata);
    expect(whole.length, 'submissions that got as far as the success screen').toBeGreaterThan(KILLS);
    expect(log.length - whole.length, 'submissions that were cut off').toBeGreaterThan(0);
  } finally {
    await server.stop({ keep: true });
    await rm(folder, { recursive: true, force: true });
  }
});

const data = (base: string, key: string, secret: string) =>
  new PostgrestClient(`${base}/rest/v1`, {
    headers: { apikey: key, 'x-draft-secret': secret, 'x-forwarded-for': newAddress() },
  });

/** Submits one experiment after the other, each up to its first step that was not done, and notes those that were. */
async function submitUntilKilled(
  { base, process: server }: RunningServer,
  key: string,
  picture: Buffer,
  log: Answered[],
): Promise<void> {
  const storage = new StorageClient(`${base}/storage/v1`, {
    apikey: key,
    authorization: `Bearer ${key}`,
    'x-forwarded-for': newAddress(),
  });
  // A busy server may refuse a step as well.
  while (server.exitCode === null && server.signalCode === null) {
    const one: Answered = { secret: randomBytes(32).toString('base64url'), files: [], media: [], metadata: false };
    log.push(one);
    const client = data(base, key, one.secret);
    const name = `images/${randomUUID()}.png`;
    const uploaded = await storage
      .from('case-studies')
      .upload(name, new Blob([new Uint8Array(picture)], { type: 'image/png' }))
      .catch(() => null);
    if (!uploaded?.data) continue;
    one.files.push(name);
    const created = await client.rpc('create_case_study', {
      title: 'Killed',
      description: '<p>Brief</p>',
      client: '',
      status: 'draft',
      submitter_id: null,
    });
    if (created.error) continue;
    one.id = created.data as string;
    const media = {
      id: randomUUID(),
      project_id: one.id,
      type: 'image',
      url: `${base}/storage/v1/object/public/case-studies/${name}`,
      title: '',
      description: '',
      order: 0,
    };
    const added = await client.from('project_media').insert(media);
    if (added.error) continue;
    one.media.push(media.id);
    const saved = await client.rpc('save_case_study_metadata', {
      p_id: one.id,
      p_understanding: '<p>U</p>',
      p_actions: '<p>A</p>',
      p_impact: '<p>I</p>',
    });
    if (saved.error) continue;
    one.metadata = true;
  }
}

async function expectAllThere({ base }: RunningServer, key: string, log: Answered[]): Promise<void> {
  for (const one of log) {
    for (const name of one.files)
      expect((await fetch(`${base}/storage/v1/object/public/case-studies/${name}`)).status, name).toBe(200);
    if (!one.id) continue;
    const { data: project, error } = await data(base, key, one.secret)
      .from('projects')
      .select('id,project_media(id),case_study_metadata(impact)')
      .eq('id', one.id)
      .single();
    expect(error, one.id).toBeNull();
    const found = project as unknown as {
      project_media: { id: string }[];
      case_study_metadata: { impact: string } | { impact: string }[] | null;
    };
    expect(found.project_media.map(({ id }) => id)).toEqual(expect.arrayContaining(one.media));
    if (one.metadata) expect([found.case_study_metadata].flat()[0]?.impact).toBe('<p>I</p>');
  }
}
