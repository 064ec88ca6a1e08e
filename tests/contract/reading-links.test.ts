import { beforeAll, expect, it } from 'vitest';
import { newSecret } from '../../app/lib/data/ids.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

const DRAFT = { title: 'Lamp', description: '<p>Brief</p>', client: 'Acme' };
const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString();

interface Answer {
  status: number;
  error: { code: string; message: string } | null;
}

const TEXTS = { p_understanding: 'Changed', p_actions: '', p_impact: '' };
const PICTURE = 'https://example.com/changed.png';
/** Changes that a draft link could make while the submission is incomplete. */
const CHANGES: [name: string, (client: Client, draft: string) => PromiseLike<Answer>][] = [
  ['create_case_study', (client) => client.rpc('create_case_study', { ...DRAFT, title: 'Changed' })],
  ['save_case_study_metadata', (client, p_id) => client.rpc('save_case_study_metadata', { p_id, ...TEXTS })],
  ['POST project_media', (client, project_id) => client.from('project_media').insert({ project_id, url: PICTURE })],
  [
    'PATCH case_study_metadata',
    (client, draft) => client.from('case_study_metadata').update({ brief: 'Changed' }).eq('project_id', draft),
  ],
];

let admin: { id: string; token: string };
let member: { id: string; token: string };
const api = forAllTests(() => openRest({ folder: 'supabase' }, { crowd: true }));
beforeAll(async () => {
  member = await api.person();
  admin = await api.admin();
});

const clientWithSecret = (secret: string, token: string | null = null) =>
  api.client(token, { 'x-draft-secret': secret });

/** Creates a guest's complete draft. @returns its id, the submitter's secret and two secrets for reading */
async function submit() {
  const own = newSecret();
  const { data: id } = await clientWithSecret(own).rpc('create_case_study', DRAFT).throwOnError();
  await clientWithSecret(own)
    .rpc('save_case_study_metadata', { p_id: id, p_understanding: '', p_actions: '', p_impact: '' })
    .throwOnError();
  const link = { p_project: id, p_name: 'For Ravi', p_until: NEXT_MONTH };
  const links = [clientWithSecret(own), api.client(admin.token)].map((maker) =>
    maker.rpc('make_draft_link', link).throwOnError(),
  );
  const reading = (await Promise.all(links)).map(({ data }) => data.secret as string);
  return { id: id as string, own, reading };
}

const STORED = `select title, client, brief, texts.understanding,
    (select count(*)::int from public.project_media media where media.project_id = projects.id) as media
  from public.projects join public.case_study_metadata texts on texts.project_id = projects.id where projects.id = $1`;
const stored = async (draft: string) => (await api.db.query(STORED, [draft])).rows[0];

it.each(CHANGES)('a draft link for reading refuses %s until an admin has requested changes (S2)', async (_, change) => {
  const { id, own, reading } = await submit();
  const before = await stored(id);
  for (const secret of reading) {
    for (const token of [null, member.token]) {
      const status = token ? 403 : 401;
      const { data } = await clientWithSecret(secret, token).from('projects').select('title').eq('id', id);
      expect(data).toEqual([{ title: 'Lamp' }]);
      expect(await change(clientWithSecret(secret, token), id)).toMatchObject({ status, error: { code: '42501' } });
    }
  }
  expect(await stored(id)).toEqual(before);
  // The submitter's own link can change the incomplete submission.
  expect(await change(clientWithSecret(own), id)).toMatchObject({ error: null });
  expect(await stored(id)).not.toEqual(before);
});

it.each(CHANGES)(
  'a draft link for reading allows %s once an admin has requested changes, and refuses it after the answer',
  async (_, change) => {
    const { id, reading } = await submit();
    const before = await stored(id);
    const client = api.client(admin.token);
    const answer = async (p_answer: string) => {
      const { data: seen } = await client.rpc('review_version', { p_project: id }).throwOnError();
      const words = { p_words: 'Say more.', p_mail: false, p_seen: seen };
      await client.rpc('answer_review', { p_project: id, p_answer, ...words }).throwOnError();
    };
    await answer('ask');
    expect(await change(clientWithSecret(reading[0]!), id)).toMatchObject({ error: null });
    expect(await stored(id)).not.toEqual(before);
    await answer('decline');
    expect(await change(clientWithSecret(reading[0]!), id)).toMatchObject({ status: 401, error: { code: '42501' } });
  },
);

it('a draft link for reading refuses a plain insert with its secret, which belongs to another draft', async () => {
  const { reading } = await submit();
  const { status } = await clientWithSecret(reading[0]!).from('projects').insert({ title: 'Another', status: 'draft' });
  expect(status).toBe(409);
});
