import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import { logParams, readLog } from '../../../app/features/audit/model/audit-log.ts';
import { readOverview } from '../../../app/features/dashboard/model/chart-overview.ts';
import { findPageViews } from '../../../app/features/dashboard/model/page-views.ts';
import { libraryParams, readLibrary } from '../../../app/features/library/model/library.ts';
import { countUnhandled, readMessages } from '../../../app/features/messages/model/contact-messages.ts';
import {
  countDrafts,
  findByWords,
  projectParams,
  readProjects,
  readTable,
} from '../../../app/features/projects/model/list.ts';
import { findProjectInFull } from '../../../app/features/projects/model/read.ts';
import { REVIEW_TURN } from '../../../app/features/projects/model/status.ts';
import { listVersions } from '../../../app/features/projects/model/versions/versions.ts';
import {
  countSubmissions,
  findOldestWaiting,
  findSubmission,
  type InboxFilter,
  readInbox,
} from '../../../app/features/reviews/model/review.ts';
import { listLegalTexts } from '../../../app/features/settings/model/legal-page.ts';
import { listSettings } from '../../../app/features/settings/model/settings.ts';
import { readTrash, trashParams } from '../../../app/features/trash/model/trash.ts';
import { listUsers } from '../../../app/features/users/model/users.ts';
import { identityClient } from '../../../packages/backend/tests/auth/identity-client.ts';
import type { Account } from '../../../tests/seeded-data.ts';
import { newAddress } from '../../../tests/server.ts';

export interface Admin {
  data: PostgrestClient;
  storage: StorageClient;
  functions: FunctionsClient;
  projects: number;
  /** Id of a recent project. `title` is that of an old project, `waiting` the id of one that waits for review. */
  one: string;
  title: string;
  waiting: string;
}

const listQuery = (text: string) => projectParams.read(new URLSearchParams(text));
const FILTERS = [null, ...(Object.keys(REVIEW_TURN) as InboxFilter[])];
const countOnFilters = (data: PostgrestClient) =>
  Promise.all(FILTERS.map((show) => countSubmissions(data, { show, of: null })));
const WAITING = { show: 'waiting', of: null } as const;
const lastPage = (projects: number, size: number) => Math.ceil(projects / size);

/** Questions of the media library. */
const LIBRARY = {
  list: '',
  films: 'kind=film',
  'search, one match': 'search=photo-0001707',
  'search, no match': 'search=zeppelin',
  'search, every file': 'search=photo',
  'search, titles of projects': 'search=experiment',
  unused: 'state=unused',
  'without alt text': 'state=no_alt',
  'without alt text, search': 'state=no_alt&search=photo',
  deleted: 'state=deleted',
};

/** Queries of all admin screens, called through the functions that the screens use. */
export const SCREENS: [what: string, request: (admin: Admin) => Promise<unknown>][] = [
  ['dashboard: all projects, first page', ({ data }) => readProjects(data, listQuery(''))],
  ['case studies: counters', ({ data }) => countDrafts(data)],
  ['dashboard: charts', ({ data }) => readOverview(data)],
  ['dashboard: reading', ({ data }) => findPageViews(data, 30)],
  [
    'dashboard: waiting reviews, messages',
    ({ data }) => Promise.all([countSubmissions(data, WAITING), findOldestWaiting(data), countUnhandled(data)]),
  ],
  ['projects: by title', ({ data }) => readProjects(data, listQuery('sort=title'))],
  ['projects: of one status, changed last', ({ data }) => readProjects(data, listQuery('status=active&sort=changed'))],
  ['projects: oldest first', ({ data }) => readProjects(data, listQuery('sort=oldest'))],
  ['projects: last page', ({ data, projects }) => readProjects(data, listQuery(`page=${lastPage(projects, 20)}`))],
  [
    'projects: page in the middle',
    ({ data, projects }) => readProjects(data, listQuery(`page=${lastPage(projects, 40)}`)),
  ],
  ['manage: first page', ({ data }) => readTable(data, listQuery(''))],
  ['manage: last page', ({ data, projects }) => readTable(data, listQuery(`page=${lastPage(projects, 10)}`))],
  ['manage: of one status', ({ data }) => readTable(data, listQuery('status=active'))],
  ['manage: search, one match', ({ data, title }) => readTable(data, { ...listQuery(''), search: title })],
  ['manage: search, no match', ({ data }) => readTable(data, listQuery('search=zeppelin'))],
  ['manage: search, in every text', ({ data }) => readTable(data, listQuery('search=paper'))],
  ['manage: search, in every text, page 5', ({ data }) => readTable(data, listQuery('search=paper&page=5'))],
  ['manage: search, one letter', ({ data }) => readTable(data, listQuery('search=p'))],
  ['command menu: projects', ({ data }) => findByWords(data, 'number 00004')],
  ['project', ({ data, one }) => findProjectInFull(data, one)],
  ['project: versions', ({ data, one }) => listVersions(data, one, 1)],
  ['review: inbox', ({ data }) => readInbox(data, 1, { show: null, of: null })],
  ['review: inbox, all that wait', ({ data }) => readInbox(data, 1, WAITING)],
  ['review: inbox, what is published', ({ data }) => readInbox(data, 1, { show: 'published', of: null })],
  ['review: counters', ({ data }) => countOnFilters(data)],
  ['review: a submission', ({ data, waiting }) => findSubmission(data, waiting)],
  ['users', ({ data, functions }) => listUsers(functions, data, { search: '', page: 1 })],
  ['messages', ({ data }) => readMessages(data, { page: 1 })],
  ['trash', ({ data }) => readTrash(data, trashParams.read(new URLSearchParams()))],
  ['log', ({ data }) => readLog(data, logParams.read(new URLSearchParams()))],
  ['log: of one kind', ({ data }) => readLog(data, logParams.read(new URLSearchParams('what=projects.insert')))],
  ['log: search', ({ data, title }) => readLog(data, logParams.read(new URLSearchParams({ search: title })))],
  ['settings', ({ data }) => Promise.all([listSettings(data), listLegalTexts(data)])],
  ...Object.entries(LIBRARY).map(([label, text]): (typeof SCREENS)[number] => [
    `library: ${label}`,
    ({ data, storage }) => readLibrary(data, storage, libraryParams.read(new URLSearchParams(text))),
  ]),
];

export async function signInAdmin(base: string, apikey: string, account: Account): Promise<Admin> {
  const { data: signedIn, error } = await identityClient(`${base}/auth/v1`, apikey).signInWithPassword(account);
  if (error) throw error;
  const headers = { apikey, authorization: `Bearer ${signedIn.session.access_token}` };
  // Each request has its own client address, so that no rate limit applies.
  const fetchFromNewAddress: typeof fetch = (input, init) => {
    const newHeaders = new Headers(init?.headers);
    newHeaders.set('x-forwarded-for', newAddress());
    return fetch(input, { ...init, headers: newHeaders });
  };
  const data = new PostgrestClient(`${base}/rest/v1`, { headers, fetch: fetchFromNewAddress });
  const { data: waiting } = await data.from('reviews').select('project_id').eq('turn', 0).limit(1).single();
  const { rows, total } = await readProjects(data, listQuery('sort=oldest'));
  return {
    data,
    storage: new StorageClient(`${base}/storage/v1`),
    functions: new FunctionsClient(`${base}/functions/v1`, { headers, customFetch: fetchFromNewAddress }),
    projects: total,
    one: (await readProjects(data, listQuery(''))).rows[4]!.id,
    title: rows[0]!.title,
    waiting: (waiting as { project_id: string }).project_id,
  };
}
