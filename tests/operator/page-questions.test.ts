import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OwnConfig, readConfig } from '../../packages/backend/config/config.ts';
import { type Backend, createBackend } from '../../packages/backend/index.ts';
import { cleanRichText } from '../../rich-text.ts';
import { copySeededData } from '../seeded-data.ts';
import { keysIn } from '../server.ts';

const SITE = 'http://madhouse.test';
const visitor = { address: '192.0.2.7', id: 'test' };

let dataDir: string;
let backend: Backend;
let site: import('../../app/site.ts').Site;
let requests: string[] = [];

beforeAll(async () => {
  dataDir = await copySeededData();
  const config = readConfig({ SITE_URL: SITE, DATA_DIR: dataDir, SEED: 'none', LOG_LEVEL: 'silent' });
  backend = await createBackend(config as OwnConfig, { cleanRichText });
  let generation = 0;
  const count = () => generation++;
  await backend.onChange(count, count);
  const built = join(import.meta.dirname, '..', '..', 'build', 'server', 'index.js');
  const { createSite } = (await import(built)) as typeof import('../../app/site.ts');
  site = createSite({
    origin: SITE,
    supabase: { url: SITE, publishableKey: backend.publishableKey, own: true },
    generation: () => generation,
    fetch: (request, who) => {
      requests.push(new URL(request.url).pathname);
      return backend.fetch(request, { ...who, forPage: true });
    },
    drawCard: async () => null,
    drawPng: async () => null,
    onError: () => {},
    styleSheet: () => null,
    captcha: null,
    developmentSetupKey: null,
  });
});
afterAll(async () => {
  await backend?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function questionsOf(path: string): Promise<string[]> {
  requests = [];
  const response = await site.answer(new Request(SITE + path), visitor);
  expect(response.status, path).toBe(200);
  await response.text();
  return requests;
}

it('a page requests only its own data; settings, texts and counts are cached until they change', async () => {
  const list = await (await site.answer(new Request(`${SITE}/case-studies`), visitor)).text();
  const experiment = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(list)![1]!;
  const STATIC = ['/about', '/privacy', '/terms', '/join', '/contact', '/ai-jewelry-masterclass'];
  const search = ['/rest/v1/rpc/search_case_studies'];
  const own: Record<string, string[]> = {
    '/': ['/rest/v1/rpc/home_experiments'],
    '/case-studies': search,
    '/case-studies?category=ai&page=2': search,
    [experiment]: ['/rest/v1/projects'],
    ...Object.fromEntries(STATIC.map((path) => [path, []])),
  };
  for (const path of Object.keys(own)) await questionsOf(path);
  for (const [path, questions] of Object.entries(own)) expect(await questionsOf(path), path).toEqual(questions);
  const { secret } = keysIn(dataDir);
  const headers = { apikey: secret, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'One more', status: 'active' });
  const made = await backend.fetch(new Request(`${SITE}/rest/v1/projects`, { method: 'POST', headers, body }), visitor);
  expect(made.status).toBe(201);
  const rpcs = ['count_case_studies', 'live_pages', 'search_case_studies'].map((name) => `/rest/v1/rpc/${name}`);
  expect((await questionsOf('/case-studies')).sort()).toEqual([...rpcs, '/rest/v1/site_settings']);
  expect(await questionsOf('/case-studies')).toEqual(own['/case-studies']);
});
