import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../for-all-tests.ts';
import { clientOf } from '../operator/client.ts';
import { startServerOnPostgres } from '../server.ts';
import { addMedia, file, publish } from './experiments.ts';
import { admin, creator, seeded, startSeeded } from './seeded.ts';
import { createFirstAdmin, dataAs, sessionOf } from './signing-in.ts';
import { ADMIN_SCREENS, adminScreens, MEMBER_SCREENS, walk } from './walk-screens.ts';

startSeeded();

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const SENTENCE = `The ${WORD} of Thiruvananthapuram and her seven hundred and seventy-seven unusually patient cousins `;
const longest = (letters: number) => SENTENCE.repeat(40).slice(0, letters).trim();
const PROSE = `<h2>${longest(120)}</h2><p>${longest(900)}</p><h3>${WORD}</h3><ul><li>${longest(300)}</li></ul><blockquote>${longest(200)}</blockquote><p>https://long.example/${'address/'.repeat(40)}</p>`;

const PUBLIC = ['/', '/about', '/case-studies', '/case-studies?q=nothing-like-it', '/contact', '/join', '/nowhere'];

/** Screens that look the same without any content. */
const FORMS = /\/(projects\/new|upload-project|cleanup)$/;
/** Screens that show neither the project nor the message nor the account. */
const UNCHANGED = /\/(projects\/new|upload-project|cleanup|media|settings|trash|pages.*)$/;

/** Creates a project, a message and an account name with the longest texts and largest numbers that the server accepts. */
async function fillToTheBrim(): Promise<string> {
  const data = await dataAs(admin);
  const texts = { description: PROSE, understanding: PROSE, actions: PROSE, impact: PROSE };
  const budget = { budget: 1_000_000_000, show_budget: true };
  const dates = { start_date: '1900-01-01', end_date: '2200-12-31' };
  const project_id = await publish({ title: longest(200), client: longest(200), ...texts, ...budget, ...dates });
  await file(project_id, {
    category: 'other',
    tags: [...Array(30).keys()].map((n) => `${n} ${WORD}`.slice(0, 60)),
    credits: ['Idea', WORD.slice(0, 60), 'Pictures'].map((part, n) => ({
      part,
      made: ['hand', 'together', 'machine'][n],
      people: [longest(120), 'Asha Rao'],
      tools: [WORD],
    })),
  });
  const [title, description, alt] = Array<string>(3).fill(longest(500));
  const images = [0, 1].map((n) => ({ type: 'image', url: `https://pictures.example/${'long/'.repeat(60)}${n}.png` }));
  const files = [...images, { type: 'video', url: 'https://films.example/film.mp4' }];
  await addMedia(files.map((one, order) => ({ project_id, ...one, title, description, alt, order })));
  const member = { project_id, name: longest(120), role: WORD };
  const members = [33.33, 33.33, 33.34].map((share) => ({ ...member, contribution_percentage: share }));
  await data.from('project_members').insert(members).throwOnError();
  const p_email = `${'somebody.with.a.very.long.name'.repeat(2)}@${'long-host-name.'.repeat(8)}example`;
  await data.rpc('send_message', { p_name: longest(100), p_email, p_message: longest(3000) }).throwOnError();
  const { access_token: token } = await sessionOf(creator);
  const json = { data: { name: longest(100) } };
  expect((await clientOf(seeded).send('/auth/v1/user', { method: 'PUT', json, token })).status).toBe(200);
  return project_id;
}

let project: string;
beforeAll(async () => {
  project = await fillToTheBrim();
});

it.each([
  ['a guest', undefined, async () => ['/', '/case-studies', `/case-studies/${project}`]],
  ['a member', creator, async () => MEMBER_SCREENS],
  ['an admin', admin, async () => (await adminScreens(project)).filter((path) => !UNCHANGED.test(path))],
])(
  'screens with the longest words and the largest numbers have nothing split, covered, cut off or too tall for %s in the dark theme',
  async (_, account, screens) => {
    expect(await walk(await screens(), { account, colorScheme: 'dark', widest: true })).toEqual([]);
  },
);

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' }));
const first = { email: 'first@madserver.example', password: 'plates-in-register-7' };
beforeAll(() => createFirstAdmin(server, first));

it('screens of an empty installation have nothing split, covered, cut off or too tall for a guest', async () => {
  expect(await walk(PUBLIC, { site: server, widest: true })).toEqual([]);
});

it('screens of an empty installation have nothing split, covered, cut off or too tall for the only admin', async () => {
  const paths = [...ADMIN_SCREENS, ...MEMBER_SCREENS].filter((path) => !FORMS.test(path));
  expect(await walk(paths, { site: server, account: first, widest: true })).toEqual([]);
});
