import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { publishableKeyOf, type RunningServer, startServerOnPostgres } from '../server.ts';
import { seeded, startSeeded } from './seeded.ts';
import { browser } from './shared-browser.ts';
import { dataAs, sessionOf } from './signing-in.ts';
import { ADMIN_SCREENS, adminScreens, MEMBER_SCREENS, walk } from './walk-screens.ts';

startSeeded();

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const SENTENCE = `The ${WORD} of Thiruvananthapuram and her seven hundred and seventy-seven unusually patient cousins `;
const longest = (letters: number) => SENTENCE.repeat(40).slice(0, letters).trim();
const PROSE = `<h2>${longest(120)}</h2><p>${longest(900)}</p><h3>${WORD}</h3><ul><li>${longest(300)}</li></ul><blockquote>${longest(200)}</blockquote><p>https://long.example/${'address/'.repeat(40)}</p>`;

const PUBLIC = ['/', '/about', '/case-studies', '/case-studies?q=nothing-like-it', '/contact', '/join', '/nowhere'];

/** Creates a project, a message and an account name with the longest texts and largest numbers that the server accepts. */
async function fillToTheBrim(): Promise<string> {
  const data = await dataAs(inject('accounts').admin);
  const sent = async (request: PromiseLike<{ error: { message: string } | null }>) => {
    const { error } = await request;
    if (error) throw new Error(error.message);
  };
  const project = {
    title: longest(200),
    client: longest(200),
    status: 'active',
    budget: 1_000_000_000,
    show_budget: true,
    start_date: '1900-01-01',
    end_date: '2200-12-31',
    description: PROSE,
    understanding: PROSE,
    actions: PROSE,
    impact: PROSE,
  };
  const { data: made, error } = await data.from('projects').insert(project).select('id').single();
  if (error) throw new Error(error.message);
  const project_id = made.id as string;
  await sent(
    data.from('case_study_metadata').upsert(
      {
        project_id,
        category: 'other',
        tags: [...Array(30).keys()].map((n) => `${n} ${WORD}`.slice(0, 60)),
        credits: ['Idea', WORD.slice(0, 60), 'Pictures'].map((part, n) => ({
          part,
          made: (['hand', 'together', 'machine'] as const)[n],
          people: [longest(120), 'Asha Rao'],
          tools: [WORD],
        })),
      },
      { onConflict: 'project_id' },
    ),
  );
  await sent(
    data.from('project_media').insert(
      [0, 1, 2].map((order) => ({
        project_id,
        type: order === 2 ? 'video' : 'image',
        url:
          order === 2 ? 'https://films.example/film.mp4' : `https://pictures.example/${'long/'.repeat(60)}${order}.png`,
        title: longest(500),
        description: longest(500),
        alt: longest(500),
        order,
      })),
    ),
  );
  await sent(
    data.from('project_members').insert(
      [33.33, 33.33, 33.34].map((contribution_percentage) => ({
        project_id,
        name: longest(120),
        role: WORD,
        contribution_percentage,
      })),
    ),
  );
  const guest = new PostgrestClient(`${seeded.base}/rest/v1`, {
    headers: { apikey: await publishableKeyOf(seeded.base) },
  });
  await sent(
    guest.rpc('send_message', {
      p_name: longest(100),
      p_email: `${'somebody.with.a.very.long.name'.repeat(2)}@${'long-host-name.'.repeat(8)}example`,
      p_message: longest(3000),
    }),
  );
  const session = await sessionOf(inject('accounts').creator);
  const named = await fetch(`${seeded.base}/auth/v1/user`, {
    method: 'PUT',
    headers: {
      apikey: await publishableKeyOf(seeded.base),
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ data: { name: longest(100) } }),
  });
  expect(named.status).toBe(200);
  return project_id;
}

describe('screens with the longest words and the largest numbers', () => {
  let project: string;
  beforeAll(async () => {
    project = await fillToTheBrim();
  });

  it('have nothing split, covered, cut off or too tall for a guest in the dark theme', async () => {
    const found = await walk(browser, ['/', '/case-studies', `/case-studies/${project}`], {
      colorScheme: 'dark',
      widest: true,
    });
    expect(found).toEqual([]);
  });

  it('have nothing split, covered, cut off or too tall for a member in the dark theme', async () => {
    const account = inject('accounts').creator;
    expect(await walk(browser, MEMBER_SCREENS, { account, colorScheme: 'dark', widest: true })).toEqual([]);
  });

  it('have nothing split, covered, cut off or too tall for an admin in the dark theme', async () => {
    const account = inject('accounts').admin;
    expect(await walk(browser, await adminScreens(project), { account, colorScheme: 'dark', widest: true })).toEqual(
      [],
    );
  });
});

describe('screens of an empty installation', () => {
  let server: RunningServer;
  const first = { email: 'first@madserver.example', password: 'plates-in-register-7' };
  beforeAll(async () => {
    server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' });
    const key = /Setup key[^\n]*: (\S{20,})/.exec(server.output())![1]!;
    const answer = await fetch(`${server.base}/functions/v1/admin-setup`, {
      method: 'POST',
      headers: {
        apikey: await publishableKeyOf(server.base),
        'content-type': 'application/json',
        'x-setup-key': key,
      },
      body: JSON.stringify(first),
    });
    expect(answer.ok).toBe(true);
  });
  afterAll(() => server.stop());

  it('have nothing split, covered, cut off or too tall for a guest', async () => {
    expect(await walk(browser, PUBLIC, { base: server.base })).toEqual([]);
  });

  it('have nothing split, covered, cut off or too tall for the only admin', async () => {
    const paths = [...ADMIN_SCREENS, ...MEMBER_SCREENS];
    expect(await walk(browser, paths, { base: server.base, account: first })).toEqual([]);
  });
});
