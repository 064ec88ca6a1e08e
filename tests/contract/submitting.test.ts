import { AuthRetryableFetchError } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf } from '../../app/features/credits/model/rows.ts';
import { type FlowServices, type Step, sendSubmission } from '../../app/features/submissions/model/send.ts';
import {
  emptySubmission,
  firstProblem,
  type MediaItem,
  type Submission,
  undescribed,
} from '../../app/features/submissions/model/submission.ts';
import { isLost } from '../../app/lib/data/api-error.ts';
import { newId, newSecret } from '../../app/lib/data/ids.ts';
import { openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

const GUEST = '00000000-0000-4000-8000-000000000001';
let warnings: string[];

const api = forAllTests(() => {
  // Longer statement timeouts, because the first call of a cold database takes long on a busy machine.
  const timeoutMs = { anon: 30_000, authenticated: 30_000, admin: 30_000, service_role: 30_000 };
  return openRest({ folder: 'supabase' }, { crowd: true, limits: { timeoutMs } });
});
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((...words) => void warnings.push(words.join(' ')));
  return () => vi.restoreAllMocks();
});

/**
 * Decides the outcome of a request: `lost` never arrives, `unheard` arrives but its response does not, `gone` means that
 * the tab was closed; or a replacement response.
 */
type Weather = (path: string, nth: number) => 'fine' | 'lost' | 'unheard' | 'gone' | Response;
const fine: Weather = () => 'fine';

function services(media: MediaItem[], weather: Weather = fine, session?: { id: string; token: string }) {
  const calls: string[] = [];
  const crash = Promise.withResolvers<void>();
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace('/rest/v1/', '');
    const fate = weather(path, calls.push(`${request.method} ${path}`));
    if (fate instanceof Response) return fate;
    if (fate === 'gone') {
      crash.resolve();
      return new Promise(() => {});
    }
    if (fate === 'lost') throw new TypeError('Failed to fetch');
    const response = await fetch(request);
    if (fate === 'unheard') throw new TypeError('Failed to fetch');
    return response;
  };
  const client = (headers: Record<string, string>, token?: string) =>
    new PostgrestClient(api.url, {
      headers: { apikey: api.keys.publishable, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      fetch: send,
    });
  const flow = {
    auth: { getSession: async () => ({ data: { session: session ? { user: { id: session.id } } : null } }) },
    data: (headers) => client(headers, session?.token),
    dataForGuest: (headers) => client(headers),
    finishUploads: async () => media,
  } as FlowServices;
  return { flow, calls, crashed: crash.promise };
}

const IMAGE = { type: 'image', ...undescribed, isUploading: false, file: null } as const;
const item = (url: string, change: Partial<MediaItem> = {}): MediaItem => ({ ...IMAGE, id: newId(), url, ...change });

const OF_PROJECT = { client: ' Acme ', category: 'ai' as const, tags: ['light', 'sound'] };
const TEXTS = { brief: '<p>Why</p>', understanding: '<p>What</p>', actions: '<p>How</p>', impact: '<p>So</p>' };
const submissionWith = (media: MediaItem[]): Submission => {
  return { ...emptySubmission(), title: `  Lamp ${newId()} `, ...OF_PROJECT, ...TEXTS, media };
};

async function stored({ title }: Submission) {
  const STORED = `select p.id, p.title, p.description, p.client, p.status, p.created_by::text, p.submitted_at is not null as complete,
      (select json_agg(json_build_object('type', type, 'url', url, 'title', m.title, 'order', "order",
          'alt', alt, 'made', made, 'poster', poster, 'is_cover', is_cover) order by "order")
         from public.project_media m where project_id = p.id) as media,
      (select row_to_json(t) from (select brief, understanding, actions, impact, category, tags
         from public.case_study_metadata where project_id = p.id) t) as texts
    from public.projects p where p.title = $1`;
  const { rows } = await api.db.query<{ id: string; [column: string]: unknown }>(STORED, [title.trim()]);
  return rows;
}

describe('submission by a guest', () => {
  it('stores five hundred tags of sixty characters (C13)', async () => {
    const tags = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(60, 'é'));
    const submission = { ...submissionWith([item('https://a.example/1.jpg')]), tags };
    expect(firstProblem(submission)).toBeNull();
    const outcome = await sendSubmission(() => submission, newSecret(), services(submission.media).flow);
    expect(outcome).toMatchObject({ textsStored: true, unfinished: false });
    expect(await stored(submission)).toMatchObject([{ texts: { category: 'ai', brief: '<p>Why</p>', tags } }]);
  });

  it.each([
    ['501 tags', Array.from({ length: 501 }, (_, n) => `tag ${n}`), /501 tags are more than the 500/],
    ['a tag of 61 characters', ['short', 'x'.repeat(61)], /has 61 characters; a tag has at most 60/],
  ])('reports %s before sending; without the form, other parts are still stored (C13)', async (_, tags, message) => {
    const submission = { ...submissionWith([item('https://a.example/1.jpg')]), tags };
    expect(firstProblem(submission)).toMatchObject({ field: 'tags', message: expect.stringMatching(message) });
    const outcome = await sendSubmission(() => submission, newSecret(), services(submission.media).flow);
    // The success screen reports that not everything was stored.
    expect(outcome.textsStored).toBe(false);
    expect(warnings.join(' ')).toContain('tags are at most 500, of 1 to 60 characters');
    const texts = { category: 'ai', brief: '<p>Why</p>', understanding: '<p>What</p>', tags: [] };
    expect(await stored(submission)).toMatchObject([{ complete: true, texts }]);
  });

  it('stores credits; rejected credits do not affect other parts', async () => {
    const idea = { part: 'Idea', made: 'hand' as const, people: ['Asha Rao'] };
    const film = { part: 'Film', made: 'machine' as const, tools: ['A model'] };
    const credits = rowsOf([
      { ...idea, tools: [] },
      { ...film, people: [] },
    ]);
    const submission = { ...submissionWith([item('https://a.example/1.jpg')]), credits };
    const { flow } = services(submission.media);
    const secret = newSecret();
    expect(await sendSubmission(() => submission, secret, flow)).toMatchObject({ textsStored: true });
    const query = `select credits, hand_share, tags from public.case_study_metadata
      join public.projects on projects.id = project_id where title = $1`;
    const credited = async () => (await api.db.query(query, [submission.title.trim()])).rows;
    const expectedCredits = [idea, film];
    expect(await credited()).toEqual([{ credits: expectedCredits, hand_share: 50, tags: ['light', 'sound'] }]);
    // Bypasses the form: more than the server accepts.
    const tooMany = Array.from({ length: 21 }, (_, n) => ({ ...credits[0]!, key: `${n}` }));
    const changed = { ...submission, tags: ['new'], impact: '<p>Later</p>', credits: tooMany };
    expect(firstProblem(changed)).toMatchObject({ field: 'credits' });
    expect(await sendSubmission(() => changed, secret, flow)).toMatchObject({ textsStored: false, unfinished: false });
    expect(await credited()).toEqual([{ credits: expectedCredits, hand_share: 50, tags: ['new'] }]);
    expect(await stored(submission)).toMatchObject([{ texts: { impact: '<p>Later</p>' } }]);
  });

  it('makes six calls in order (SUBMIT-35, SUBMIT-36, SUBMIT-38, SUBMIT-39, SUBMIT-40, SUBMIT-41)', async () => {
    const film = 'https://youtu.be/dQw4w9WgXcQ';
    const poster = (url: string) => ({ id: newId(), url, isUploading: !url, file: null });
    const media = [
      item('https://a.example/1.jpg', { caption: ' A lamp ', alt: ' A lamp with ears ', made: 'machine' }),
      item(film, { type: 'video', isCover: true, poster: poster('https://a.example/poster.jpg') }),
      item('https://a.example/2.jpg', { alt: '', isCover: true }),
      item(film, { type: 'video', alt: ' ', poster: poster('') }),
    ];
    const silent = { title: null, alt: null, made: null, poster: null, is_cover: false };
    const submission = submissionWith(media);
    const { flow, calls } = services(media);
    const steps: Step[] = [];
    const onStep = (step: Step) => steps.push(step);
    const outcome = await sendSubmission(() => submission, newSecret(), flow, onStep);
    expect(steps).toEqual(['session', 'guest', 'uploads', 'project', 'media', 'metadata']);
    const created = ['POST rpc/get_guest_user_id', 'POST rpc/create_case_study'];
    const metadata = ['POST rpc/save_case_study_metadata', 'POST case_study_metadata'];
    expect(calls).toEqual([...created, ...media.map(() => 'POST project_media'), ...metadata]);
    expect(outcome).toMatchObject({ media: { stored: 3, of: 4 }, textsStored: true, unfinished: false, closed: false });
    const image = { ...silent, type: 'image' };
    const video = { ...silent, type: 'video', url: film };
    const { title, client, brief, understanding, actions, impact, category, tags } = submission;
    const project = { title: title.trim(), description: brief, client: client.trim(), status: 'draft' };
    const texts = { brief, understanding, actions, impact, category, tags };
    const storedMedia = [
      { ...image, url: media[0]!.url, title: 'A lamp', order: 0, alt: 'A lamp with ears', made: 'machine' },
      { ...video, order: 1, poster: 'https://a.example/poster.jpg' },
      { ...image, url: media[2]!.url, order: 2, alt: '', is_cover: true },
      { ...video, order: 3 },
    ];
    const row = { id: outcome.id, ...project, created_by: GUEST, complete: true, media: storedMedia, texts };
    expect(await stored(submission)).toEqual([row]);
    expect(warnings).toEqual([]);
  });

  it.each<[string, ReturnType<Weather> | (() => Response)]>([
    ['cannot be requested', 'lost'],
    ['is refused', () => Response.json({ code: '42501', message: 'no' }, { status: 401 })],
    ['has no user', () => Response.json(null)],
    ['has no name', () => Response.json('')],
  ])(
    'uses the nil id when the guest account %s, and the guest account becomes the creator (CONST-22, PERM-07, SUBMIT-36, SUBMIT-41)',
    async (_, fate) => {
      const bodies: unknown[] = [];
      const send = globalThis.fetch;
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
        const request = new Request(input, init);
        if (request.url.endsWith('/rpc/create_case_study')) bodies.push(await request.clone().json());
        return send(request);
      });
      const submission = submissionWith([]);
      const weather: Weather = (path) =>
        path !== 'rpc/get_guest_user_id' ? 'fine' : typeof fate === 'function' ? fate() : fate;
      await sendSubmission(() => submission, newSecret(), services([], weather).flow);
      expect(bodies).toMatchObject([{ submitter_id: '00000000-0000-0000-0000-000000000000', status: 'draft' }]);
      expect(await stored(submission)).toMatchObject([{ status: 'draft', created_by: GUEST }]);
    },
  );

  it('skips media without an address, and logs and skips rejected ones (SUBMIT-39, SUBMIT-52)', async () => {
    const good = 'https://a.example/good.jpg';
    const media = [item('', { isUploading: true }), item(''), item('javascript:alert(1)'), item(good)];
    const submission = submissionWith(media);
    const outcome = await sendSubmission(() => submission, newSecret(), services(media).flow);
    expect(outcome.media).toEqual({ stored: 1, of: 4 });
    expect(outcome.unfinished).toBe(false);
    expect(await stored(submission)).toMatchObject([{ media: [{ url: good }], complete: true }]);
    expect(warnings).toEqual([expect.stringMatching(/^media item 1 was not added: ./)]);
  });

  it('continues when the metadata cannot be saved, and logs it (SUBMIT-40, SUBMIT-52)', async () => {
    const submission = submissionWith([]);
    const down: Weather = (path) => (path.includes('metadata') ? 'lost' : 'fine');
    const outcome = await sendSubmission(() => submission, newSecret(), services([], down).flow);
    expect(outcome).toMatchObject({ textsStored: false, unfinished: true });
    expect(await stored(submission)).toMatchObject([{ texts: null, complete: false }]);
    expect(warnings).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^metadata was not saved: ./)));
  });
});

it('stores the contact address of a submission whose later steps never arrive (M6), until a later attempt withdraws it', async () => {
  const submission = { ...submissionWith([item('https://a.example/1.jpg')]), contact: ' asha@example.com ' };
  const { flow, crashed } = services(submission.media, (path) => (path === 'project_media' ? 'gone' : 'fine'));
  const secret = newSecret();
  void sendSubmission(() => submission, secret, flow);
  await crashed;
  const [project] = await stored(submission);
  expect(project).toMatchObject({ complete: false, media: null });
  const contacts = async () =>
    (await api.db.query('select email from public.review_contacts where project_id = $1', [project!.id])).rows;
  expect(await contacts()).toEqual([{ email: 'asha@example.com' }]);
  const withdrawn = { ...submission, contact: '' };
  await sendSubmission(() => withdrawn, secret, { ...services(submission.media).flow, isRepeated: true });
  expect(await contacts()).toEqual([]);
});

describe('repeated submission with changed texts', () => {
  it('stores the newest texts, title and client (D5)', async () => {
    const submission = submissionWith([item('https://a.example/1.jpg')]);
    const secret = newSecret();
    // The project is created before the connection breaks.
    let breaks = 3;
    const { flow } = services(submission.media, (path) => (path === 'project_media' && breaks-- > 0 ? 'lost' : 'fine'));
    const first = await sendSubmission(() => ({ ...submission, client: 'No Client' }), secret, flow);
    expect(first).toMatchObject({ lost: true, unfinished: true });
    const newer = { ...submission, title: `${submission.title}, once more`, brief: '<p>Better</p>' };
    const again = await sendSubmission(() => newer, secret, flow);
    expect(again).toMatchObject({ id: first.id, lost: false, unfinished: false });
    expect(await stored(newer)).toMatchObject([{ id: first.id, description: '<p>Better</p>', client: 'Acme' }]);
  });

  it('stores the newest media, without those that were removed', async () => {
    const [kept, removed, added] = ['1', '2', '3'].map((name) => item(`https://a.example/${name}.jpg`));
    const submission = submissionWith([]);
    const secret = newSecret();
    await sendSubmission(() => submission, secret, services([kept!, removed!]).flow);
    await sendSubmission(() => submission, secret, services([added!, { ...kept!, caption: 'Now' }]).flow);
    expect((await stored(submission))[0]!['media']).toMatchObject([
      { url: added!.url, order: 0 },
      { url: kept!.url, order: 1, title: 'Now' },
    ]);
    await sendSubmission(() => submission, secret, { ...services([removed!]).flow, isRepeated: true });
    expect((await stored(submission))[0]!['media']).toMatchObject([{ url: removed!.url }]);
  });
});

describe('submission with a lost connection', () => {
  it('reports the connection, and no account problem (D5, ERR-03)', async () => {
    const { flow } = services([], () => 'lost');
    const refusal = await sendSubmission(() => submissionWith([]), newSecret(), flow).catch((error: unknown) => error);
    expect(isLost(refusal)).toBe(true);
    expect(String(refusal)).not.toContain('service account');
  });

  it('does not treat a user as a guest when the session cannot be refreshed (D5)', async () => {
    const { flow, calls } = services([]);
    const networkError = new AuthRetryableFetchError('Failed to fetch', 0);
    const auth = { getSession: async () => ({ data: { session: null }, error: networkError }) };
    const sending = sendSubmission(() => submissionWith([]), newSecret(), { ...flow, auth });
    expect(isLost(await sending.catch((error: unknown) => error))).toBe(true);
    expect(calls).toEqual([]);
  });
});

describe('submission when the procedure fails', () => {
  const error = { code: 'PGRST202', message: 'Could not find the function', details: null, hint: null };
  const refused = () => Response.json(error, { status: 404 });

  it.each(['guest', 'user'])(
    'inserts the draft of a %s directly in their own name, and finds it by the secret',
    async (who) => {
      const person = who === 'user' ? await api.person() : undefined;
      const submission = submissionWith([item('https://a.example/1.jpg')]);
      const secret = newSecret();
      const fails: Weather = (path) => (path === 'rpc/create_case_study' ? refused() : 'fine');
      const { flow } = services(submission.media, fails, person);
      const { id } = await sendSubmission(() => submission, secret, flow);
      expect((await sendSubmission(() => submission, secret, flow)).id).toBe(id);
      const row = { id, created_by: person?.id ?? GUEST, complete: true, media: [{ order: 0 }] };
      expect(await stored(submission)).toMatchObject([row]);
    },
  );

  it('reports a missing account to insert for (ERR-03)', async () => {
    const { flow } = services([], (path) => (path.startsWith('rpc/') ? refused() : 'fine'));
    const message = 'Could not get service account: Could not find the function';
    await expect(sendSubmission(() => submissionWith([]), newSecret(), flow)).rejects.toThrow(message);
  });

  it('reports the reason when every request fails (SUBMIT-50)', async () => {
    const submission = { ...submissionWith([]), title: 'x'.repeat(201) };
    await expect(sendSubmission(() => submission, newSecret(), services([]).flow)).rejects.toThrow(/^API Error: ./);
    expect(await stored(submission)).toEqual([]);
  });
});

it('a submission by a signed-in user is created in their own name, without a request for the guest account (PERM-07, SUBMIT-35)', async () => {
  const person = await api.person();
  const submission = submissionWith([item('https://a.example/1.jpg')]);
  const { flow, calls } = services(submission.media, fine, person);
  await sendSubmission(() => submission, newSecret(), flow);
  expect(calls).not.toContain('POST rpc/get_guest_user_id');
  expect(await stored(submission)).toMatchObject([{ created_by: person.id, status: 'draft', complete: true }]);
});

describe('interrupted submission', () => {
  const CALLS = 6;

  const isWhole = async (submission: Submission, project: object = {}) => {
    const rows = await stored(submission);
    expect(rows).toMatchObject([{ ...project, complete: true, texts: { tags: ['light', 'sound'] } }]);
    expect(rows[0]!['media']).toHaveLength(2);
  };
  const withTwoMedia = () => submissionWith([item('https://a.example/1.jpg'), item('https://a.example/2.jpg')]);

  it.each(Array.from({ length: CALLS }, (_, at) => at + 1))(
    'before call %i is completed by sending it again, and a lost response to it creates no duplicate',
    async (at) => {
      const submission = withTwoMedia();
      const secret = newSecret();
      const cut = services(submission.media, (_, nth) => (nth >= at ? 'gone' : 'fine'));
      void sendSubmission(() => submission, secret, cut.flow);
      await cut.crashed;
      await sendSubmission(() => submission, secret, services(submission.media).flow);
      await isWhole(submission);

      const other = withTwoMedia();
      const otherSecret = newSecret();
      const deaf = services(other.media, (_, nth) => (nth === at ? 'unheard' : 'fine'));
      const { id } = await sendSubmission(() => other, otherSecret, deaf.flow);
      expect((await sendSubmission(() => other, otherSecret, services(other.media).flow)).id).toBe(id);
      await isWhole(other, { id });
    },
  );

  it('adds no more media once it is stopped', async () => {
    const submission = withTwoMedia();
    const controller = new AbortController();
    const { flow, calls } = services(submission.media, (path) => {
      if (path === 'project_media') controller.abort();
      return 'fine';
    });
    const sending = sendSubmission(() => submission, newSecret(), { ...flow, signal: controller.signal });
    await expect(sending).rejects.toThrow('aborted');
    expect(calls.filter((call) => call === 'POST project_media')).toHaveLength(1);
  });

  it('is reported as closed after two hours', async () => {
    const submission = submissionWith([item('https://a.example/1.jpg')]);
    const secret = newSecret();
    const { id } = await sendSubmission(() => ({ ...submission, media: [] }), secret, services([]).flow);
    await api.db.query(`update public.projects set created_at = now() - interval '3 hours' where id = $1`, [id]);
    const outcome = await sendSubmission(() => submission, secret, services(submission.media).flow);
    expect(outcome).toMatchObject({ id, closed: true, media: { stored: 0, of: 1 }, textsStored: false });
  });
});
