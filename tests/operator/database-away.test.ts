import { beforeAll, expect, it } from 'vitest';
import { startMigratedPostgres } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { startServer } from '../server.ts';
import { clientOf } from './client.ts';

const database = forAllTests(startMigratedPostgres);
const server = forAllTests(() => startServer({ DATABASE_URL: database.url, SEED: 'none' }));
let experiment: string;
beforeAll(async () => {
  const { insert } = clientOf(server);
  const [made] = await insert('projects', { title: 'Kettle', status: 'active' });
  experiment = `/case-studies/${made!.id}/kettle`;
  await insert('site_settings', { name: 'city', value: 'Pune' });
  await insert('site_pages', { slug: 'privacy', body: '<h2>Ours</h2><p>Written by the admins of {city}.</p>' });
});

async function request(path: string, headers: Record<string, string> = {}) {
  const begun = performance.now();
  const response = await fetch(server.base + path, { headers, redirect: 'manual' });
  const [wait, kept, etag] = ['retry-after', 'cache-control', 'etag'].map((name) => response.headers.get(name));
  return { status: response.status, wait, kept, etag, html: await response.text(), took: performance.now() - begun };
}

const STATIC = ['/', '/about', '/join', '/privacy', '/terms', '/ai-jewelry-masterclass', '/contact', '/sign-in'];
const withData = () => ['/case-studies', '/case-studies?q=kettle', '/case-studies?page=2', experiment];

it('while the database is unreachable, static pages are served and others return 503 with Retry-After, uncached and without alarms (M5)', async () => {
  for (const path of [...STATIC, ...withData()]) expect((await request(path)).status, path).toBe(200);
  await database.crash();
  // Cached pages are served until the server notices.
  await expect.poll(async () => (await request('/')).kept).toBe('no-store');
  for (const path of STATIC) {
    const response = await request(path);
    expect(response, path).toMatchObject({ status: 200, kept: 'no-store', etag: null });
    expect(response.took, path).toBeLessThan(5_000);
  }
  // Texts of admins are not replaced by the built-in ones.
  expect((await request('/privacy')).html).toContain('Written by the admins of Pune.');
  expect((await request('/about')).html).not.toContain('id="results"');
  for (const path of withData()) {
    const response = await request(path);
    expect(response, path).toMatchObject({ status: 503, kept: 'no-store', etag: null });
    expect(Number(response.wait), path).toBeGreaterThan(0);
    expect(response.took, path).toBeLessThan(5_000);
    expect(response.html, path).toContain('We are very busy, or briefly away. Please try again in a moment.');
    expect(response.html, path).toContain('<footer class="footer ');
  }
  expect(await request('/sitemap.xml')).toMatchObject({ status: 503, wait: '30' });
  expect(server.output()).not.toContain('"level":50');

  await database.start();
  await expect.poll(async () => (await request('/case-studies')).status).toBe(200);
  await expect.poll(async () => (await request('/about')).etag).not.toBeNull();
  expect((await request('/about')).html).toContain('id="results"');
  expect(await request(experiment)).toMatchObject({ status: 200 });
});
