import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { startHttpServer } from '../../programs/http-server.ts';
import { seededOnPostgres, startSeededServer } from '../../seeded-data.ts';
import { keysIn, newAddress, startServer } from '../../server.ts';

const MISSING = 'e0000000-0000-4000-8000-00000000beef';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** Starts a proxy to a backend. While `silent`, it accepts requests without a response; `answer` replaces its responses. */
async function relayTo(base: string) {
  const state = { silent: false, answer: null as Answer | null, requests: [] as string[] };
  const server = await startHttpServer((incoming, response) => {
    state.requests.push(`${incoming.method} ${incoming.url}`);
    if (state.silent) return;
    if (state.answer && incoming.url !== '/auth/v1/health') {
      const { status, headers, body } = state.answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return;
    }
    const { method, headers } = incoming;
    const options = { method, headers: { ...headers, host: new URL(base).host } };
    const onward = request(base + incoming.url, options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  return { ...server, state };
}

describe('the site with a hosted backend', () => {
  const backend = forAllTests(async () => startSeededServer(await seededOnPostgres()));
  const relay = forAllTests(() => relayTo(backend.base));
  const key = () => keysIn(backend.dataDir).publishable;
  const site = forAllTests(() => startServer({ SUPABASE_URL: relay.url, SUPABASE_PUBLISHABLE_KEY: key() }));
  const send = async (path: string, headers: Record<string, string> = {}, { base } = site) => {
    const response = await fetch(base + path, { redirect: 'manual', headers });
    const wait = Number(response.headers.get('retry-after'));
    return { status: response.status, wait, kept: response.headers.get('cache-control'), text: await response.text() };
  };
  const list = () => send('/case-studies');
  afterEach(() => Object.assign(relay.state, { silent: false, answer: null }));

  // First, while the site has cached no page.
  it.each([
    [429, 429, 'Too many requests come from your address. Please wait 17 seconds and try again.'],
    [503, 503, 'We are very busy, or briefly away. Please try again in a moment.'],
    [504, 503, 'We are very busy, or briefly away. Please try again in a moment.'],
  ])(
    'returns %i as %i with Retry-After and a text, uncached and without an error in the log (M2, C12)',
    async (status, page, words) => {
      const body = JSON.stringify({ code: 'X', message: 'internal words', details: null, hint: null });
      relay.state.answer = { status, headers: { 'retry-after': '17' }, body };
      for (const path of ['/case-studies', '/case-studies?q=kettle', `/case-studies/${MISSING}`]) {
        const response = await send(path);
        expect(response, path).toMatchObject({ status: page, wait: 17, kept: 'no-store' });
        // M11: the list first shows the error.
        const first = path.includes(MISSING) ? '' : 'Failed to load mad experiments. ';
        expect(response.text, path).toContain(`>${first}${words}`);
        expect(response.text, path).not.toContain('internal words');
        // Inside the page frame, so that the visitor can navigate away.
        expect(response.text, path).toContain('<footer class="footer ');
      }
      const data = await send(`/case-studies/${MISSING}.data`);
      expect(data).toMatchObject({ status: page, wait: 17, kept: 'no-store', text: words });
      expect(await send('/sitemap.xml')).toMatchObject({ status: page, wait: 30, kept: 'no-store' });
      for (const path of ['/about', '/', '/join', '/privacy', '/contact', '/sign-in'])
        expect(await send(path), path).toMatchObject({ status: 200, kept: 'no-store', wait: 0 });
      expect(site.output()).not.toContain('"level":50');
    },
  );

  const JAMMED = JSON.stringify({ code: 'XX', message: 'The press is jammed', details: null, hint: null });
  it.each([
    [{ status: 400, body: JAMMED }, 'API Error: The press is jammed'],
    [{ status: 400, body: '' }, 'Failed to load mad experiments'],
  ])(
    'reports its failure in a red box, and requests it again at the next visit (%j) (LIST-05, DETAIL-13, DETAIL-14, ERR-01, STATE-08)',
    async (answer, words) => {
      relay.state.answer = answer;
      const { status, text } = await list();
      expect(status).toBeGreaterThanOrEqual(500);
      expect(text).toMatch(new RegExp(`class="[^"]*banner-error[^"]*"[^>]*role="alert"[\\s\\S]*${words}`));
      expect(text).not.toContain('No experiments found');
      const one = await send(`/case-studies/${MISSING}`);
      expect(one.status).toBeGreaterThanOrEqual(500);
      const reason = words.replace('Failed to load mad experiments', 'Experiment not found');
      expect(one.text).toContain(`<h1>Error Loading Experiment</h1><p>${reason}</p>`);
      expect(one.text).toMatch(/<a [^>]*href="\/case-studies"[^>]*>Back to Mad Experiments/);
      // A crawler that gets 404 would remove the page from its index.
      for (const path of ['/sitemap.xml', '/feed.xml'])
        expect(await send(path), path).toMatchObject({ status: 503, wait: 30, kept: 'no-store' });
    },
  );

  it('retries a request that gets no response once after five seconds, is unready meanwhile, and serves cached pages, also instead of incomplete ones (B7)', async () => {
    const about = await send('/about');
    const before = await list();
    expect(before).toMatchObject({ status: 200, text: expect.stringContaining('Project: ') });
    relay.state.silent = true;
    const ready = await fetch(`${site.base}/ready`);
    const problems = [{ part: 'project', reason: 'The hosted project does not respond.' }];
    expect([ready.status, (await ready.json()).problems]).toEqual([503, problems]);
    relay.state.requests.length = 0;
    const begun = performance.now();
    const never = await send('/feed.xml');
    expect(never.status).toBe(503);
    expect(never.wait).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeGreaterThan(9_500);
    const tries = relay.state.requests.filter((requests) => requests.startsWith('GET /rest/v1/projects'));
    expect(tries).toHaveLength(2);
    expect(new Set(tries).size).toBe(1);
    // The list has expired when it is requested again; its cached copy is still served.
    const isQueriedAgain = async () => {
      expect((await list()).text).toBe(before.text);
      return relay.state.requests.some((requests) => requests.includes('search_case_studies'));
    };
    await expect.poll(isQueriedAgain, { interval: 250 }).toBe(true);
    // The stale page is served without waiting five seconds for the project again.
    const again = performance.now();
    expect(await list()).toEqual(before);
    expect(performance.now() - again).toBeLessThan(5_000);
    Object.assign(relay.state, { silent: false, answer: { status: 503, body: '' } });
    expect(about.kept).toContain('public');
    expect(await send('/about')).toEqual(about);
    await expect.poll(async () => (await fetch(`${site.base}/ready`)).status).toBe(200);
  });

  it('shows the data of that backend, and starts no service of its own', async () => {
    const titles = ({ text }: { text: string }) => [...text.matchAll(/Project: [^<]+/g)].map(([title]) => title);
    const [there, here] = [await send('/case-studies', {}, backend), await list()];
    expect(titles(here).length).toBeGreaterThan(5);
    expect(titles(here)).toEqual(titles(there));
    expect(here.text).toContain(`content="${relay.url}"`);
    const policy = (await fetch(`${site.base}/about`)).headers.get('content-security-policy');
    for (const kind of ['img', 'media', 'connect']) expect(policy).toContain(`${kind}-src 'self' ${relay.url}`);
    expect((await fetch(`${site.base}/rest/v1/projects`, { headers: { apikey: key() } })).status).toBe(404);
    expect(site.output()).toContain(`hosted Supabase at ${relay.url}`);
  });

  it('stores its assets, for pages that are still open after an upgrade', async () => {
    const stored = () => readdir(join(site.dataDir, 'assets')).catch(() => []);
    await expect.poll(stored).toContainEqual(expect.stringMatching(/^release-/));
  });

  it('logs once that an untrusted proxy sets X-Forwarded-For (C12)', async () => {
    const warningCount = () => site.output().split('TRUST_PROXY is 0').length - 1;
    await send('/about');
    expect(warningCount()).toBe(0);
    for (let number = 0; number < 3; number++) await send('/join?profit=1', { 'x-forwarded-for': newAddress() });
    await expect.poll(warningCount).toBe(1);
  });
});
