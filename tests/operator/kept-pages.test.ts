import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureSlowdown } from '../cpu-time.ts';
import { startMigratedPostgres } from '../database.ts';
import type { TestPostgres } from '../programs/postgres.ts';
import { keysIn, newAddress, publishableKeyOf, type RunningServer, startServer } from '../server.ts';

const LIST = '/case-studies';
/** More than the cache has entries. */
const URLS = 2_500;

describe.each(['the embedded engine', 'PostgreSQL'] as const)('cached pages, with %s', (engine) => {
  let database: TestPostgres | null = null;
  let server: RunningServer;
  let publishable: string;
  let secret: string;
  let published: { id: string; title: string }[];
  const agent = new Agent({ keepAlive: true, maxSockets: 600 });

  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await startMigratedPostgres();
    server = await startServer({ SEED: 'none', TRUST_PROXY: '1', ...(database && { DATABASE_URL: database.url }) });
    publishable = await publishableKeyOf(server.base);
    secret = keysIn(server.dataDir).secret;
    const rows = Array.from({ length: 200 }, (_, number) => ({ title: `Number ${number}`, status: 'active' }));
    published = (await (await write('projects?select=id,title', rows)).json()) as typeof published;
    expect(published).toHaveLength(200);
  });
  afterAll(async () => {
    agent.destroy();
    await server?.stop();
    await database?.stop();
  });

  const write = (path: string, body: unknown, method = 'POST') =>
    fetch(`${server.base}/rest/v1/${path}`, {
      method,
      headers: { apikey: secret, 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(body),
    });

  /** Cached and shared responses have an ETag; a response rendered for one request has none. */
  async function request(path: string, address = newAddress(), headers: Record<string, string> = {}) {
    const [response] = (await once(
      get(server.base + path, { agent, headers: { 'x-forwarded-for': address, ...headers } }),
      'response',
    )) as [IncomingMessage];
    return { status: response.statusCode, etag: response.headers.etag, html: await text(response) };
  }

  /** For behaviour of the cache that does not depend on the engine. */
  const itOfCache = engine === 'the embedded engine' ? it : (..._: unknown[]) => {};

  const addressOf = ({ id, title }: { id: string; title: string }) =>
    `${LIST}/${id}/${title.toLowerCase().replaceAll(' ', '-')}`;

  it('200 concurrent readers of 200 uncached pages all get a response (B6)', async () => {
    const slowdown = measureSlowdown();
    const responses = await Promise.all(published.map((project) => request(addressOf(project))));
    const refused = published.filter((_, at) => responses[at]!.status === 503);
    // A busy machine refuses what would wait for too long, and serves it later.
    if (slowdown() < 3) expect(refused).toEqual([]);
    for (const project of refused) await expect.poll(async () => (await request(addressOf(project))).status).toBe(200);
    for (const [at, { status, html }] of responses.entries())
      if (!refused.includes(published[at]!))
        expect([status, html]).toEqual([200, expect.stringContaining(`<title>${published[at]!.title} |`)]);
  });

  itOfCache('500 concurrent readers of one uncached page share one rendering (B6)', async () => {
    await write('projects?title=eq.Number%200', { client: 'New Client' }, 'PATCH');
    const responses = await Promise.all(Array.from({ length: 500 }, () => request('/about')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(responses.filter(({ etag }) => etag === undefined)).toHaveLength(1);
    expect(new Set(responses.map(({ html }) => html)).size).toBe(1);
  });

  itOfCache('an unknown cookie neither adds a cache entry nor changes a page', async () => {
    await write('projects?title=eq.Number%200', { client: 'Someone else' }, 'PATCH');
    const made = await request('/about', newAddress(), { cookie: 'theme=dark' });
    const kept = await request('/about', newAddress(), { cookie: 'balancer=one' });
    expect(kept).toEqual({ ...made, etag: expect.any(String) });
    await write('projects?title=eq.Number%200', { client: 'No Client' }, 'PATCH');
    expect((await request('/about')).html).toBe(made.html);
  });

  itOfCache('only experiments read the draft cookie; all other pages are cached for its holder, too (P3)', async () => {
    const experiment = addressOf(published[9]!);
    const pages = ['/', '/about', '/join', LIST, `${LIST}?category=branding`, '/privacy', '/sitemap.xml'];
    for (const page of [...pages, experiment]) await request(page);
    for (const cookie of ['drafts=own', `a=b; __Host-drafts=${published[9]!.id}.${'a'.repeat(43)}`]) {
      for (const page of pages) {
        const [without, holder] = [await request(page), await request(page, newAddress(), { cookie })];
        expect(holder, page).toEqual(without);
        expect(holder.etag, page).toBeDefined();
      }
      for (const address of [
        experiment,
        `${LIST}/${published[9]!.id.toUpperCase()}`,
        experiment.replace('case', 'Case'),
      ])
        expect((await request(address, newAddress(), { cookie })).etag, address).toBeUndefined();
    }
    expect((await request(experiment)).etag).toBeDefined();
  });

  it('a private page shows every change acknowledged before its request', async () => {
    const [one] = published;
    for (let round = 0; round < 8; round++) {
      const status = round % 2 ? 'active' : 'draft';
      const name = `Client ${round}`;
      expect((await write(`projects?id=eq.${one!.id}`, { status }, 'PATCH')).status).toBe(200);
      await write('site_settings?name=eq.site_name', null, 'DELETE');
      expect((await write('site_settings', { name: 'site_name', value: name })).status).toBe(201);
      const response = await fetch(server.base + LIST, {
        headers: { authorization: 'Bearer none', 'x-forwarded-for': newAddress() },
      });
      const html = await response.text();
      expect(html).toContain(`${200 - (round % 2 ? 0 : 1)} experiments`);
      expect(html).toContain(`| ${name}</title>`);
    }
    await write('site_settings?name=eq.site_name', null, 'DELETE');
  });

  itOfCache(`${URLS} URLs with unknown parameters add no cache entry (B1)`, async () => {
    const pages = [
      LIST,
      '/about',
      '/',
      '/join',
      addressOf(published[7]!),
      '/sitemap.xml',
      `${LIST}?category=branding&q=kettle`,
    ];
    const kept = new Map<string, string | undefined>();
    for (const page of pages) {
      await request(page);
      kept.set(page, (await request(page)).etag);
    }
    expect([...kept.values()].every(Boolean)).toBe(true);
    const wrong: unknown[] = [];
    const oneAddress = newAddress();
    const words = ['x', 'utm_source', 'fbclid', '_', 'Q', 'page[]'];
    let number = 0;
    const reader = async () => {
      while (number < URLS) {
        const page = pages[number % pages.length]!;
        const query = `${words[number % words.length]}=${number++}`;
        const path = `${page}${page.includes('?') ? '&' : '?'}${query}`;
        const { status, etag } = await request(path, oneAddress);
        if (status !== 200 || etag !== kept.get(page)) wrong.push({ path, status, etag });
      }
    };
    await Promise.all(Array.from({ length: 20 }, reader));
    expect(wrong).toEqual([]);
    // Independent of the order of parameters, and before the page is cached.
    await write('projects?title=eq.Number%200', { client: 'Someone else' }, 'PATCH');
    expect((await request(`${LIST}?x=1&q=kettle&y=2&category=branding&z`)).etag).toBeUndefined();
    expect((await request(`${LIST}?category=branding&q=kettle`)).etag).toBe(
      kept.get(`${LIST}?category=branding&q=kettle`),
    );
    // Known parameters have their own cache entry.
    expect((await request(`${LIST}?page=2`)).html).not.toBe((await request(LIST)).html);
  });

  it('150 anonymous requests that change no content evict no cached page (B1, C6)', async () => {
    const pages = ['/about', LIST, addressOf(published[3]!)];
    for (const page of pages) await request(page);
    const tags = async () => Promise.all(pages.map(async (page) => (await request(page)).etag));
    const before = await tags();
    expect(before.every(Boolean)).toBe(true);
    const call = (path: string, body: unknown, init: { method?: string; headers?: Record<string, string> } = {}) =>
      fetch(server.base + path, {
        method: 'POST',
        ...init,
        headers: {
          apikey: publishable,
          'content-type': 'application/json',
          'x-forwarded-for': newAddress(),
          ...init.headers,
        },
        body: init.method === 'OPTIONS' ? undefined : JSON.stringify(body),
      });
    const [one] = published;
    const calls: [status: number[], make: () => Promise<Response>][] = [
      [[200], () => call('/rest/v1/rpc/get_guest_user_id', {})],
      [[200], () => call('/rest/v1/rpc/search_case_studies', { words: 'kettle' })],
      [[204], () => call('/rest/v1/rpc/record_reading', { p_page: '/about', p_marks: ['visit'] })],
      [[200, 204], () => call('/rest/v1/projects', null, { method: 'OPTIONS' })],
      [[200], () => call('/auth/v1/recover', { email: `unknown-${newAddress()}@madhouse.example` })],
      [
        [400],
        () =>
          call('/auth/v1/token?grant_type=password', {
            email: `unknown-${newAddress()}@madhouse.example`,
            password: 'x',
          }),
      ],
      [[200], () => call('/storage/v1/object/list/case-studies', { prefix: '' })],
      [[401], () => call(`/rest/v1/projects?id=eq.${one!.id}`, { title: 'Mine' }, { method: 'PATCH' })],
      [[401], () => call('/rest/v1/site_settings', { name: 'phone', value: '+1 234 5678' })],
      // A guest's draft, as the form creates it.
      [
        [201],
        () =>
          call(
            '/rest/v1/projects',
            { title: 'A draft', status: 'active' },
            { headers: { 'x-draft-secret': randomBytes(32).toString('base64url') } },
          ),
      ],
    ];
    for (let round = 0; round < 15; round++) {
      const responses = await Promise.all(calls.map(([, make]) => make()));
      for (const [at, [wanted]] of calls.entries()) expect(wanted, `call ${at}`).toContain(responses[at]!.status);
      if (round % 5 === 0) expect(await tags(), `round ${round}`).toEqual(before);
    }
    expect(await tags()).toEqual(before);
    // A user without write access evicts nothing either.
    const account = { email: 'reader@madhouse.example', password: 'a-long-walk-by-the-sea' };
    const asService = { headers: { apikey: secret, authorization: `Bearer ${secret}` } };
    expect((await call('/auth/v1/admin/users', { ...account, email_confirm: true }, asService)).status).toBe(200);
    const session = (await (await call('/auth/v1/token?grant_type=password', account)).json()) as {
      access_token: string;
    };
    const asUser = { method: 'PATCH', headers: { authorization: `Bearer ${session.access_token}` } };
    expect((await call('/rest/v1/site_settings?name=eq.city', { value: 'Mine' }, asUser)).status).toBe(204);
    expect((await call(`/rest/v1/projects?id=eq.${one!.id}`, { title: 'Mine' }, asUser)).status).toBe(204);
    expect(await tags()).toEqual(before);
    await write(`projects?id=eq.${one!.id}`, { title: 'Changed' }, 'PATCH');
    expect((await tags()).every((tag) => tag === undefined)).toBe(true);
  });

  it('the next page after a write’s response shows the write (B1, CACHE-04)', async () => {
    const onTop = /href="\/case-studies\/([\da-f-]{36})/.exec((await request(LIST)).html)![1]!;
    for (let number = 0; number < 15; number++) {
      await request(LIST);
      const title = `Written ${number}`;
      expect((await write(`projects?id=eq.${onTop}`, { title }, 'PATCH')).status).toBe(200);
      expect((await request(LIST)).html, title).toContain(`Project: ${title}<`);
    }
    const [fresh] = (await (
      await write('projects?select=id', { title: 'Here and gone', status: 'active' })
    ).json()) as [{ id: string }];
    expect((await request(LIST)).html).toContain('Project: Here and gone<');
    expect((await request(`${LIST}/${fresh.id}/here-and-gone`)).status).toBe(200);
    expect((await write(`projects?id=eq.${fresh.id}`, undefined, 'DELETE')).status).toBe(200);
    expect((await request(LIST)).html).not.toContain('Here and gone');
    expect((await request(`${LIST}/${fresh.id}/here-and-gone`)).status).toBe(404);
    // Related rows of published projects and settings evict pages; those of drafts do not.
    const shown: [path: string, body: unknown][] = [
      ['case_study_metadata?on_conflict=project_id', { project_id: published[5]!.id, brief: 'A new brief' }],
      ['project_members', { project_id: published[5]!.id, name: 'Asha Rao', role: 'director' }],
      ['site_settings', { name: 'city', value: 'Pune' }],
    ];
    for (const [path, body] of shown) {
      await request('/about');
      expect((await request('/about')).etag, path).toBeDefined();
      expect((await write(path, body)).ok, path).toBe(true);
      expect((await request('/about')).etag, path).toBeUndefined();
    }
  });

  if (engine === 'PostgreSQL')
    it('shows changes of other processes within two seconds, also when the LISTEN connection hangs or ends (B9)', async () => {
      const sql = postgres(database!.url, { max: 1 });
      const listener = async () => {
        const [row] =
          await sql`select pid from pg_stat_activity where query ilike '%listen%' and pid <> pg_backend_pid()`;
        return row?.['pid'] as number | undefined;
      };
      const path = addressOf(published[150]!);
      const warm = () => expect.poll(async () => (await request(path)).etag).toBeDefined();
      /** Milliseconds from the response of the write until a page shows it. */
      const seenAfter = async (client: string) => {
        await sql`update public.projects set client = ${client} where id = ${published[150]!.id}`;
        const written = performance.now();
        for (;;) {
          const requestedAt = performance.now();
          if ((await request(path)).html.includes(client)) return requestedAt - written;
          if (requestedAt - written > 10_000) return Number.POSITIVE_INFINITY;
        }
      };
      try {
        await warm();
        await expect.poll(listener).toBeDefined();
        const frozen = (await listener())!;
        process.kill(frozen, 'SIGSTOP');
        try {
          expect(await seenAfter('Seen while frozen')).toBeLessThan(2_000);
        } finally {
          process.kill(frozen, 'SIGCONT');
        }
        // The server listens and caches again.
        await warm();
        await expect.poll(listener).toBeDefined();
        await sql`select pg_terminate_backend(${(await listener())!})`;
        expect(await seenAfter('Seen after the end')).toBeLessThan(2_000);
        await warm();
        expect(await seenAfter('Seen as ever')).toBeLessThan(1_000);
      } finally {
        await sql.end();
      }
    });
});
