import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysIn, newAddress, publishableKeyOf, type RunningServer, startServerOnPostgres } from '../../server.ts';

const HEADER = 'cdn-cache-control';
const CACHEABLE = 'max-age=30, stale-while-revalidate=30, stale-if-error=86400';
const SECRET = 'd'.repeat(43);

describe('a CDN in front of the server', () => {
  let server: RunningServer;
  let publishable: string;
  let secret: string;
  let published: string;
  let draft: string;
  let token: string;
  const request = (path: string, init: RequestInit = {}) =>
    fetch(server.base + path, {
      redirect: 'manual',
      ...init,
      headers: { 'x-forwarded-for': newAddress(), ...init.headers },
    });
  const asService = () => ({ apikey: secret, authorization: `Bearer ${secret}`, 'content-type': 'application/json' });
  const asGuest = () => ({ apikey: publishable });

  beforeAll(async () => {
    server = await startServerOnPostgres({ SEED: 'none', CDN_SECONDS: '30', TRUST_PROXY: '1' });
    publishable = await publishableKeyOf(server.base);
    secret = keysIn(server.dataDir).secret;
    const rows = [
      { title: 'A kettle that hums', status: 'active' },
      { title: 'A kettle that waits', status: 'draft' },
      { title: 'A kettle that sings', status: 'active' },
    ];
    const made = await request('/rest/v1/projects?select=id,status', {
      method: 'POST',
      headers: { ...asService(), prefer: 'return=representation' },
      body: JSON.stringify(rows),
    });
    expect(made.status).toBe(201);
    const [first, second] = (await made.json()) as [{ id: string }, { id: string }];
    [published, draft] = [`/case-studies/${first.id}/a-kettle-that-hums`, `/case-studies/${second.id}`];
    const person = JSON.stringify({
      email: 'asha@example.com',
      password: 'tangerine bicycle pump',
      email_confirm: true,
    });
    await request('/auth/v1/admin/users', { method: 'POST', headers: asService(), body: person });
    const signedIn = await request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { ...asGuest(), 'content-type': 'application/json' },
      body: person,
    });
    token = ((await signedIn.json()) as { access_token: string }).access_token;
  });
  afterAll(() => server?.stop());

  it.each(['/', '/about', '/case-studies', '/case-studies?q=kettle', '/sitemap.xml', '/feed.xml', '/terms'])(
    'may cache %s, rendered, cached or revalidated, while browsers revalidate each time',
    async (path) => {
      const [made, kept] = [await request(path), await request(path)];
      for (const response of [made, kept]) {
        expect([response.status, response.headers.get(HEADER)]).toEqual([200, CACHEABLE]);
        expect(response.headers.get('cache-control')).not.toMatch(/max-age=[1-9]/);
        expect(response.headers.get('set-cookie')).toBeNull();
      }
      const etag = kept.headers.get('etag')!;
      const same = await request(path, { headers: { 'if-none-match': etag } });
      expect([same.status, same.headers.get(HEADER)]).toEqual([304, CACHEABLE]);
    },
  );

  it('may cache published pages and public data with all Vary headers', async () => {
    expect((await request(published)).headers.get(HEADER)).toBe(CACHEABLE);
    const data = await request('/rest/v1/projects?select=title', { headers: asGuest() });
    expect([data.status, data.headers.get(HEADER)]).toEqual([200, CACHEABLE]);
    expect(await data.json()).toHaveLength(2);
    const varies = data.headers.get('vary')!.toLowerCase().split(', ');
    const names =
      'authorization apikey accept accept-profile prefer range origin x-draft-secret x-setup-key x-supabase-api-version';
    for (const name of names.split(' ')) expect(varies).toContain(name);
  });

  const NEVER: [what: string, status: number, request: () => Promise<Response>][] = [
    ['an experiment with the draft cookie', 200, () => request(published, { headers: { cookie: 'drafts=own' } })],
    ['a page with a credential', 200, () => request('/about', { headers: { authorization: `Bearer ${token}` } })],
    ['HEAD of an uncached page', 200, () => request(`/case-studies?q=${Math.random()}`, { method: 'HEAD' })],
    ['a missing page', 404, () => request('/no/such/page')],
    ['a missing experiment', 404, () => request('/case-studies/6b1f0a52-0000-4000-8000-000000000000')],
    ['a draft', 404, () => request(draft)],
    [
      'a draft with its secret in a cookie',
      404,
      () => request(draft, { headers: { cookie: `drafts=${draft.split('/')[2]}.${SECRET}` } }),
    ],
    ['a draft link, which sets a cookie', 302, () => request(`${draft}?draft=${SECRET}`)],
    ['a draft link that is wrong', 400, () => request(`${draft}?draft=1`)],
    ['a redirect to the right address', 302, () => request(published.replace(/[^/]*$/, 'wrong'))],
    ['the admin area', 200, () => request('/admin')],
    ['the account', 200, () => request('/account')],
    [
      'a submitted form',
      415,
      () => request('/contact', { method: 'POST', headers: { origin: server.base }, body: '' }),
    ],
    [
      'data of a user',
      200,
      () => request('/rest/v1/projects', { headers: { ...asGuest(), authorization: `Bearer ${token}` } }),
    ],
    ['data of the service', 200, () => request('/rest/v1/projects', { headers: asService() })],
    [
      'data with the secret of a draft',
      200,
      () => request('/rest/v1/projects', { headers: { ...asGuest(), 'x-draft-secret': SECRET } }),
    ],
    [
      'data with the setup key',
      200,
      () => request('/rest/v1/projects', { headers: { ...asGuest(), 'x-setup-key': 'x'.repeat(30) } }),
    ],
    ['data without a key', 200, () => request('/rest/v1/projects')],
    ['data with a wrong key', 401, () => request('/rest/v1/projects', { headers: { apikey: 'wrong' } })],
    ['data that is not there', 404, () => request('/rest/v1/nothing', { headers: asGuest() })],
    ['a wrong question', 400, () => request('/rest/v1/projects?nothing=eq.1', { headers: asGuest() })],
    [
      'a range of data',
      206,
      () =>
        request('/rest/v1/projects?limit=1&offset=0', {
          headers: { ...asGuest(), prefer: 'count=exact', range: '0-0' },
        }),
    ],
    ['a function of the data', 200, () => request('/rest/v1/rpc/get_guest_user_id', { headers: asGuest() })],
    [
      'the current user',
      200,
      () => request('/auth/v1/user', { headers: { ...asGuest(), authorization: `Bearer ${token}` } }),
    ],
    ['the log', 200, () => request('/auth/v1/admin/audit', { headers: asService() })],
    ['an upload that is not there', 400, () => request('/storage/v1/object/public/case-studies/images/x.png')],
    ['readiness', 200, () => request('/ready')],
  ];
  it.each(NEVER)('gets no caching header for %s', async (_, status, make) => {
    const responses = [await make(), await make()];
    for (const response of responses) expect([response.headers.get(HEADER), response.status]).toEqual([null, status]);
  });
});
