import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBuiltFiles } from '../../server/files.ts';
import { startMigratedPostgres } from '../database.ts';
import type { TestPostgres } from '../programs/postgres.ts';
import { randomNumbers } from '../random-numbers.ts';
import { newAddress, type RunningServer, startServer } from '../server.ts';
import { type Client, clientOf } from './client.ts';

/** Per engine, each with its own sequence: there are 15 kinds of writes. */
const WRITES = 75;
const CATEGORIES = ['ai', 'branding', 'social'];
const STATUSES = ['active', 'completed', 'draft', 'archived'];

describe.each(['the embedded engine', 'PostgreSQL'] as const)('cached responses, with %s', (engine) => {
  let database: TestPostgres | null = null;
  let server: RunningServer;
  let client: Client;
  let fresh: import('../../app/site.ts').Site;

  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await startMigratedPostgres();
    server = await startServer({ SEED: 'none', TRUST_PROXY: '1', ...(database && { DATABASE_URL: database.url }) });
    client = clientOf(server);
    const built = join(import.meta.dirname, '..', '..', 'build');
    const { createSite } = (await import(join(built, 'server', 'index.js'))) as typeof import('../../app/site.ts');
    const files = await readBuiltFiles(join(built, 'client'));
    fresh = createSite({
      origin: server.base,
      supabase: { url: server.base, publishableKey: client.publishable, own: true },
      // Disables all caches, here and, by the draft cookie, in the server.
      generation: () => null,
      fetch: (request) => read(new Request(request, { headers: [...request.headers, ['cookie', 'drafts=own']] })),
      drawCard: async () => null,
      drawPng: async () => null,
      onError: () => {},
      styleSheet: (address) => files.get(address)!.plain.toString(),
      captcha: null,
      developmentSetupKey: null,
    });
  });
  afterAll(async () => {
    await server?.stop();
    await database?.stop();
  });

  const read = (request: Request) => {
    request.headers.set('x-forwarded-for', newAddress());
    return fetch(request);
  };

  const answered = async (response: Response) => ({ status: response.status, text: await response.text() });

  it(`equal uncached responses after each of ${WRITES} random writes (B1, CACHE-04)`, async () => {
    const random = randomNumbers(engine === 'PostgreSQL' ? 8 : 7);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const write = async (method: string, path: string, json?: unknown) => {
      const headers = { prefer: 'resolution=merge-duplicates' };
      const { status, text } = await answered(await client.asService(`/rest/v1/${path}`, { method, json, headers }));
      // A reference to a deleted experiment is rejected without a change.
      if (status >= 400 && status !== 409) throw new Error(`${method} ${path}: ${status} ${text}`);
    };
    const title = () => `Title ${random(1_000)}`;
    const addPicture = (project_id: string) => {
      const url = `https://pictures.example/${random(1_000)}.png`;
      return write('POST', 'project_media', { project_id, type: 'image', url, title: title(), order: random(5) });
    };
    const addTexts = (project_id: string) => {
      const texts = { project_id, category: pick(CATEGORIES), tags: [title()] };
      return write('POST', 'case_study_metadata?on_conflict=project_id', texts);
    };
    const writes: ((id: string) => Promise<void>)[] = [
      (id) => write('POST', 'projects', { id, title: title(), status: pick(STATUSES) }),
      (id) => write('PATCH', `projects?id=eq.${id}`, { status: pick(STATUSES) }),
      (id) => write('PATCH', `projects?id=eq.${id}`, { title: title(), client: title() }),
      (id) => write('PATCH', `projects?id=eq.${id}`, { impact: `<p>${title()}</p>` }),
      (id) => write('PATCH', `projects?id=eq.${id}`, { created_at: `2026-01-${10 + random(20)}T00:00:00Z` }),
      (id) => write('DELETE', `projects?id=eq.${id}`),
      addTexts,
      (id) => write('POST', 'project_members', { project_id: id, name: title(), role: 'director' }),
      addPicture,
      (id) => write('PATCH', `project_media?project_id=eq.${id}`, { title: title() }),
      (id) => write('DELETE', `project_media?project_id=eq.${id}`),
      () => write('POST', 'site_settings', { name: 'site_name', value: title() }),
      () => write('DELETE', 'site_settings?name=eq.site_name'),
      () => write('POST', 'site_pages', { slug: 'privacy', body: `<h2>${title()}</h2><p>Text</p>` }),
      () => write('DELETE', 'site_pages?slug=eq.privacy'),
    ];
    const data = `select=id,title,project_media(title)&order=created_at,id`;
    const pages = [
      ...['/', '/case-studies', '/case-studies?category=ai', '/case-studies?q=title', '/about', '/privacy'],
      ...['/sitemap.xml', '/feed.xml', `/rest/v1/projects?${data}`, '/rest/v1/rpc/count_case_studies'],
      ...ids.map((id) => `/case-studies/${id}`),
    ];
    const requestOf = (path: string, headers: Record<string, string> = {}) => {
      const key = path.startsWith('/rest/') && { apikey: client.publishable };
      return new Request(server.base + path, { headers: { ...key, ...headers }, redirect: 'manual' });
    };
    const send = (path: string) => read(requestOf(path));
    const requestUncached = (path: string) =>
      path.startsWith('/rest/')
        ? read(requestOf(path, { cookie: 'drafts=own' }))
        : fresh.answer(requestOf(path), { address: newAddress(), id: 'test' });
    /** Canonical path of a page, if it has one. */
    const addressNow = async (path: string) =>
      path.startsWith('/case-studies/') ? ((await requestUncached(path)).headers.get('location') ?? path) : path;
    for (const id of ids) {
      await write('POST', 'projects', { id, title: title(), status: 'active' });
      await addPicture(id);
    }
    let statuses = 0;
    for (let number = 0; number < WRITES; number++) {
      const id = pick(ids);
      const path = await addressNow(random(2) ? `/case-studies/${id}` : pick(pages));
      await answered(await send(path));
      await pick(writes)(id);
      const now = await answered(await requestUncached(path));
      // The response cached before the write, and the one cached since.
      for (const kept of [await answered(await send(path)), await answered(await send(path))])
        expect({ number, path, ...kept }).toEqual({ number, path, ...now });
      if (now.status === 200) statuses++;
    }
    expect(statuses).toBeGreaterThan(WRITES / 2);
  });
});
