import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthClient } from '@supabase/auth-js';
import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { logQuestionFrom, readLog } from '../app/models/office/audit-log.ts';
import { readOverview } from '../app/models/office/chart-overview.ts';
import { countUnhandled, readMessages } from '../app/models/office/contact-messages.ts';
import { findPageViews } from '../app/models/office/page-views.ts';
import { readPeople } from '../app/models/office/people.ts';
import { readTrash, trashQuestionFrom } from '../app/models/office/trash.ts';
import { countByStatus, findByWords, questionFrom, readNewest, readProjects } from '../app/models/project/list.ts';
import { findProjectInFull } from '../app/models/project/read.ts';
import { readTable } from '../app/models/project/table.ts';
import { listVersions } from '../app/models/project/versions/versions.ts';
import { countSubmissions, findSubmission, readInbox } from '../app/models/review/review.ts';
import { listLegalTexts } from '../app/models/settings/legal-page.ts';
import { listSettings } from '../app/models/settings/settings.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../tests/server.ts';
import { fillProjects } from './fill-projects.ts';
import { interleaved, median } from './load.ts';
import { figure } from './report.ts';

const FEW = 50;
const MANY = 50_000;
const ROUNDS = 25;
const WARM = 3;
/** So much longer an answer may take with very many projects. */
const GOAL = 1.5;

interface Admin {
  data: PostgrestClient;
  functions: FunctionsClient;
  projects: number;
  /** A project in the middle, and one that waits for review. */
  one: string;
  waiting: string;
}

const asked = (text: string) => questionFrom(new URLSearchParams(text));
const last = (projects: number, size: number) => Math.ceil(projects / size);

/** Every screen of the admin area by what it asks for, through the very functions it asks with. */
const SCREENS: [what: string, ask: (admin: Admin) => Promise<unknown>][] = [
  ['dashboard: five newest', ({ data }) => readNewest(data)],
  ['dashboard: all projects, first page', ({ data }) => readProjects(data, asked(''))],
  ['dashboard: counters', ({ data }) => countByStatus(data)],
  ['dashboard: charts', ({ data }) => readOverview(data)],
  ['dashboard: reading', ({ data }) => findPageViews(data, 30)],
  [
    'dashboard: waiting reviews, messages',
    ({ data }) => Promise.all([countSubmissions(data, { show: 'waiting', of: null }), countUnhandled(data)]),
  ],
  ['projects: by title', ({ data }) => readProjects(data, asked('sort=title'))],
  ['projects: of one status, changed last', ({ data }) => readProjects(data, asked('status=active&sort=changed'))],
  ['projects: last page', ({ data, projects }) => readProjects(data, asked(`page=${last(projects, 20)}`))],
  ['projects: page in the middle', ({ data, projects }) => readProjects(data, asked(`page=${last(projects, 40)}`))],
  ['manage: first page', ({ data }) => readTable(data, asked(''))],
  ['manage: last page', ({ data, projects }) => readTable(data, asked(`page=${last(projects, 10)}`))],
  ['manage: of one status', ({ data }) => readTable(data, asked('status=active'))],
  ['manage: search, one match', ({ data }) => readTable(data, asked('search=number+000037'))],
  ['manage: search, no match', ({ data }) => readTable(data, asked('search=zeppelin'))],
  ['manage: search, in every text', ({ data }) => readTable(data, asked('search=paper'))],
  ['manage: search, in every text, page 5', ({ data }) => readTable(data, asked('search=paper&page=5'))],
  ['manage: search, one letter', ({ data }) => readTable(data, asked('search=p'))],
  ['command menu: projects', ({ data }) => findByWords(data, 'number 00004')],
  ['project', ({ data, one }) => findProjectInFull(data, one)],
  ['project: versions', ({ data, one }) => listVersions(data, one, 1)],
  ['review: inbox', ({ data }) => readInbox(data, 1, { show: null, of: null })],
  ['review: a submission', ({ data, waiting }) => findSubmission(data, waiting)],
  ['users', ({ data, functions }) => readPeople(functions, data, { search: '', page: 1 })],
  ['messages', ({ data }) => readMessages(data, 1)],
  ['trash', ({ data }) => readTrash(data, trashQuestionFrom(new URLSearchParams()))],
  ['log', ({ data }) => readLog(data, logQuestionFrom(new URLSearchParams()))],
  ['settings', ({ data }) => Promise.all([listSettings(data), listLegalTexts(data)])],
];

/** What every screen of the admin area asks for, with fifty projects and with fifty thousand. */
export default async function admin(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const servers: RunningServer[] = [];
  try {
    const admins: Record<string, Admin> = {};
    for (const [name, size] of [
      ['few', FEW],
      ['many', MANY],
    ] as const) {
      const data = join(folder, name);
      const first = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' }, data);
      const account = accountIn(first.output());
      await first.stop({ keep: true });
      const started = performance.now();
      await fillProjects(join(data, 'database'), size);
      figure(`${size} projects written`, `${((performance.now() - started) / 1000).toFixed(0)} s`);
      const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, data);
      servers.push(server);
      admins[name] = await enter(server.base, account);
    }
    const { few, many } = admins as { few: Admin; many: Admin };
    let slowest = 0;
    for (const [what, ask] of SCREENS) {
      const timeOf = (admin: Admin) => async () => {
        const start = performance.now();
        await ask(admin);
        return performance.now() - start;
      };
      const times = await interleaved(WARM + ROUNDS, { few: timeOf(few), many: timeOf(many) });
      const middle = (name: string) => median(times[name]!.slice(WARM));
      const ratio = middle('many') / middle('few');
      slowest = Math.max(slowest, ratio);
      const verdict = ratio <= GOAL ? 'met' : 'MISSED';
      figure(
        what,
        `${middle('few').toFixed(1).padStart(7)} ms with ${FEW} ${middle('many').toFixed(1).padStart(7)} ms with ${MANY}  ratio ${ratio.toFixed(2)}  (goal ${GOAL}, ${verdict})`,
      );
    }
    figure('slowest beside itself', slowest.toFixed(2));
  } finally {
    for (const server of servers) await server.stop({ keep: true });
    await rm(folder, { recursive: true, force: true });
  }
}

function accountIn(printed: string): { email: string; password: string } {
  const [, email, password] = /^\s+admin\s+(\S+@\S+)\s+(\S+)/m.exec(printed)!;
  return { email: email!, password: password! };
}

async function enter(base: string, account: { email: string; password: string }): Promise<Admin> {
  const apikey = await publishableKeyOf(base);
  const auth = new AuthClient({
    url: `${base}/auth/v1`,
    headers: { apikey },
    persistSession: false,
    autoRefreshToken: false,
  });
  const { data: signedIn, error } = await auth.signInWithPassword(account);
  if (error) throw error;
  const headers = { apikey, authorization: `Bearer ${signedIn.session.access_token}` };
  // Each request from an address of its own, because so many in a second are not for one.
  const fetchAsAnother: typeof fetch = (input, init) => {
    const sent = new Headers(init?.headers);
    sent.set('x-forwarded-for', newAddress());
    return fetch(input, { ...init, headers: sent });
  };
  const data = new PostgrestClient(`${base}/rest/v1`, { headers, fetch: fetchAsAnother });
  const { data: waiting } = await data.from('reviews').select('project_id').eq('turn', 0).limit(1).single();
  const counts = await countByStatus(data);
  return {
    data,
    functions: new FunctionsClient(`${base}/functions/v1`, { headers, customFetch: fetchAsAnother }),
    projects: Object.values(counts).reduce((sum, count) => sum + count, 0),
    one: (await readNewest(data))[4]!.id,
    waiting: (waiting as { project_id: string }).project_id,
  };
}
