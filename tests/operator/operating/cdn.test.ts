import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { newAddress, startServerOnPostgres } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';

const HEADER = 'cdn-cache-control';
const CACHEABLE = 'max-age=30, stale-while-revalidate=30, stale-if-error=86400';
const SECRET = 'd'.repeat(43);
const RANGE = { prefer: 'count=exact', range: '0-0' };
const OF_DRAFT = { 'x-draft-secret': SECRET };

describe('a CDN in front of the server', () => {
  const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', CDN_SECONDS: '30', TRUST_PROXY: '1' }));
  const client = clientOf(server);
  let published: string;
  let draft: string;
  let token: string;
  const request = (path: string, init: RequestInit = {}) => {
    const headers = { 'x-forwarded-for': newAddress(), ...init.headers };
    return fetch(server.base + path, { redirect: 'manual', ...init, headers });
  };
  /** With the publishable key. */
  const data = (path: string, call?: Call) => client.send(path, call);

  beforeAll(async () => {
    const kettle = (does: string, status = 'active') => ({ title: `A kettle that ${does}`, status });
    const kettles = [kettle('hums'), kettle('waits', 'draft'), kettle('sings')];
    const [first, second] = await client.insert('projects', kettles);
    [published, draft] = [`/case-studies/${first!.id}/a-kettle-that-hums`, `/case-studies/${second!.id}`];
    const account = { email: 'asha@example.com', password: 'tangerine bicycle pump' };
    await client.createUser(account);
    token = (await client.signIn(account)).access_token;
  });

  it.each(['/', '/about', '/case-studies', '/case-studies?q=kettle', '/sitemap.xml', '/feed.xml', '/terms'])(
    'may cache %s, rendered, cached or revalidated, while browsers revalidate each time',
    async (path) => {
      const [made, kept] = [await request(path), await request(path)];
      for (const response of [made, kept]) {
        expect([response.status, response.headers.get(HEADER)]).toEqual([200, CACHEABLE]);
        expect(response.headers.get('cache-control')).not.toMatch(/max-age=[1-9]/);
        expect(response.headers.get('set-cookie')).toBeNull();
      }
      const same = await request(path, { headers: { 'if-none-match': kept.headers.get('etag')! } });
      expect([same.status, same.headers.get(HEADER)]).toEqual([304, CACHEABLE]);
    },
  );

  it('may cache published pages and public data with all Vary headers', async () => {
    expect((await request(published)).headers.get(HEADER)).toBe(CACHEABLE);
    const response = await data('/rest/v1/projects?select=title');
    expect([response.status, response.headers.get(HEADER)]).toEqual([200, CACHEABLE]);
    expect(await response.json()).toHaveLength(2);
    const varies = response.headers.get('vary')!.toLowerCase().split(', ');
    const names =
      'authorization apikey accept accept-profile prefer range origin x-draft-secret x-setup-key x-supabase-api-version';
    for (const name of names.split(' ')) expect(varies).toContain(name);
  });

  const draftCookie = () => `drafts=${draft.split('/')[2]}.${SECRET}`;
  const submitForm = () => request('/contact', { method: 'POST', headers: { origin: server.base }, body: '' });
  const NEVER: [what: string, status: number, request: () => Promise<Response>][] = [
    ['an experiment with the draft cookie', 200, () => request(published, { headers: { cookie: 'drafts=own' } })],
    ['a page with a credential', 200, () => request('/about', { headers: { authorization: `Bearer ${token}` } })],
    ['HEAD of an uncached page', 200, () => request(`/case-studies?q=${Math.random()}`, { method: 'HEAD' })],
    ['a missing page', 404, () => request('/no/such/page')],
    ['a missing experiment', 404, () => request('/case-studies/6b1f0a52-0000-4000-8000-000000000000')],
    ['a draft', 404, () => request(draft)],
    ['a draft with its secret in a cookie', 404, () => request(draft, { headers: { cookie: draftCookie() } })],
    ['a draft link, which sets a cookie', 302, () => request(`${draft}?draft=${SECRET}`)],
    ['a draft link that is wrong', 400, () => request(`${draft}?draft=1`)],
    ['a redirect to the right address', 302, () => request(published.replace(/[^/]*$/, 'wrong'))],
    ['the admin area', 200, () => request('/admin')],
    ['the account', 200, () => request('/account')],
    ['a submitted form', 415, submitForm],
    ['data of a user', 200, () => data('/rest/v1/projects', { token })],
    ['data of the service', 200, () => client.asService('/rest/v1/projects')],
    ['data with the secret of a draft', 200, () => data('/rest/v1/projects', { headers: OF_DRAFT })],
    ['data with the setup key', 200, () => data('/rest/v1/projects', { headers: { 'x-setup-key': 'x'.repeat(30) } })],
    ['data without a key', 200, () => request('/rest/v1/projects')],
    ['data with a wrong key', 401, () => request('/rest/v1/projects', { headers: { apikey: 'wrong' } })],
    ['data that is not there', 404, () => data('/rest/v1/nothing')],
    ['a wrong question', 400, () => data('/rest/v1/projects?nothing=eq.1')],
    ['a range of data', 206, () => data('/rest/v1/projects?limit=1&offset=0', { headers: RANGE })],
    ['a function of the data', 200, () => data('/rest/v1/rpc/get_guest_user_id')],
    ['the current user', 200, () => data('/auth/v1/user', { token })],
    ['the log', 200, () => client.asService('/auth/v1/admin/audit')],
    ['an upload that is not there', 400, () => request('/storage/v1/object/public/case-studies/images/x.png')],
    ['readiness', 200, () => request('/ready')],
  ];
  it.each(NEVER)('gets no caching header for %s', async (_, status, make) => {
    const responses = [await make(), await make()];
    for (const response of responses) expect([response.headers.get(HEADER), response.status]).toEqual([null, status]);
  });
});
