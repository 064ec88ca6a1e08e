import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { builtInAgency as agency } from '../../../app/lib/words/agency.ts';
import { shared } from '../../two-machines/shared.ts';
import { draft, publish } from '../experiments.ts';
import { admin, creator, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

const PAGES = ['/', '/case-studies', '/about', '/join', '/ai-jewelry-masterclass', '/contact', '/privacy', '/terms'];
const ask = (path: string, method = 'GET') =>
  fetch(seeded.base + path, { method, redirect: 'manual', headers: { 'user-agent': 'preview-robot' } });
/** Each process renders the page once, without ETag, and caches it; requests reach several processes in turn. */
const keptEverywhere = async (path: string) => {
  for (let attempt = 0; attempt < (shared ? 16 : 1); attempt++) await (await ask(path)).arrayBuffer();
};
const textOf = async (path: string) => (await ask(path)).text();

/** What a bot without JavaScript reads in the HTML. */
async function headOf(path: string) {
  const html = await textOf(path);
  const decoded = (text: string | undefined) =>
    text?.replace(/&(?:#x([\da-f]+)|(amp|lt|gt|quot));/g, (_, code?: string, name?: string) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : { amp: '&', lt: '<', gt: '>', quot: '"' }[name!]!,
    );
  const content = (name: string) =>
    decoded(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]);
  const data = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown> & { '@graph'?: { '@type': string }[] },
  );
  return {
    html,
    content,
    title: decoded(/<title>(.*?)<\/title>/.exec(html)?.[1]),
    canonical: decoded(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]),
    image: content('og:image')?.slice(seeded.base.length) ?? '',
    data,
    types: data.flatMap((one) => one['@graph']?.map((node) => node['@type']) ?? [one['@type']]),
  };
}

it.each(['/', '/about'])(
  'first HTML response for crawlers has every meta tag of %s, with an existing image (META-04, META-09)',
  async (path) => {
    const { title, canonical, content, image, html } = await headOf(path);
    expect(title).toMatch(new RegExp(`^.+ \\| ${agency.name}$`));
    expect(canonical).toBe(seeded.base + path);
    expect(content('og:url')).toBe(canonical);
    expect(content('og:title')).toBe(title);
    expect(content('og:site_name')).toBe(agency.name);
    expect(content('og:description')).toBe(content('description'));
    expect(content('description')!.length).toBeGreaterThan(50);
    expect(content('twitter:card')).toBe('summary_large_image');
    expect(content('og:image:alt')).toContain(agency.name);
    expect([content('og:image:width'), content('og:image:height')]).toEqual(['1200', '630']);
    expect(html).toContain('<link rel="alternate" type="application/atom+xml" href="/feed.xml"');
    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');

    const picture = await ask(image);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(bytes.length).toBeLessThan(150_000);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  },
);

it('first HTML response for crawlers has structured data for each page', async () => {
  const types = async (path: string) => (await headOf(path)).types.toSorted();
  expect(await types('/')).toEqual(['Organization', 'WebSite']);
  expect(await types('/about')).toEqual(['BreadcrumbList', 'Organization', 'WebSite']);
  expect(await types('/join')).toEqual(['BreadcrumbList', 'FAQPage']);
  expect(await types('/case-studies')).toEqual(['BreadcrumbList', 'CollectionPage']);
  expect(await types('/case-studies?category=branding')).toEqual(['BreadcrumbList']);
  expect(await types('/terms')).toEqual(['BreadcrumbList']);
  expect(await types('/no-such-page')).toEqual([]);
});

it('first HTML response for crawlers describes an experiment as an article, escaped for any title (META-07, META-08, CONST-14)', async () => {
  const title = '</script><script>alert(1)</script>\u2028“Chai” & <!-- <b>';
  const id = await publish({ title, client: 'Kulhad', description: `<p>${'m'.repeat(161)}</p>` });
  const path = (await ask(`/case-studies/${id}`)).headers.get('location')!;
  const { html, data, types, content, canonical, image } = await headOf(path);
  expect(html).not.toContain('<script>alert');
  expect(types.toSorted()).toEqual(['Article', 'BreadcrumbList']);
  const article = data.find((one) => one['@type'] === 'Article')!;
  expect(article).toMatchObject({ headline: title, url: canonical, author: { name: agency.organisation } });
  expect(article['image']).toEqual([seeded.base + image]);
  expect(content('og:type')).toBe('article');
  expect(content('og:title')).toBe(`${title} | ${agency.name}`);
  expect(content('og:image:alt')).toBe(`${title}, for Kulhad`);
  expect(content('description')).toBe(`${'m'.repeat(157)}...`);
  expect((await ask(image)).status).toBe(200);
  expect((await textOf('/feed.xml')).includes('<script')).toBe(false);
});

it('social image of an experiment returns the same 404 for drafts, archived and unknown experiments', async () => {
  const hidden = [
    await draft('A draft without a picture', { account: creator }),
    await publish({ title: 'Archived, so not shown off', status: 'archived' }),
    randomUUID(),
    'nobody',
  ];
  const files = hidden.flatMap((name) => [`${name}.jpg`, `${name}-0123456789abcdef0123.jpg`]);
  const requests = files.map(async (file) => {
    const { status, headers } = await ask(`/social/${file}`);
    return [status, headers.get('cache-control'), await textOf(`/social/${file}`)];
  });
  const answers = await Promise.all(requests);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]!.slice(0, 2)).toEqual([404, 'no-store']);
  for (const odd of ['/social/home.png', '/social/..%2f..%2fetc%2fpasswd', '/social/%00.jpg', '/social/HOME.jpg'])
    expect((await ask(odd)).status, odd).toBe(404);
  const archived = await headOf((await ask(`/case-studies/${hidden[1]}`)).headers.get('location')!);
  expect(archived.image).toBe((await headOf('/')).image);
});

it('social image of an experiment redirects a missing or wrong version to the current address, and ignores a query', async () => {
  const { image } = await headOf('/join');
  for (const path of ['/social/join.jpg', '/social/join-0123456789abcdef0123.jpg']) {
    const { status, headers } = await ask(path);
    expect([status, headers.get('location')], path).toEqual([302, image]);
  }
  const head = await ask(image, 'HEAD');
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  await keptEverywhere(image);
  const [one, queried] = await Promise.all([ask(image), ask(`${image}?v=2`)]);
  expect(one.headers.get('etag')).not.toBeNull();
  expect([queried.status, queried.headers.get('etag')]).toEqual([200, one.headers.get('etag')]);
});

const FEEDS: [string, string][] = [
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/sitemaps/pages.xml', 'application/xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/feed.xml', 'application/atom+xml; charset=utf-8'],
  ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
];

it.each(FEEDS)(
  'crawler files %s is cached until the content changes, answers HEAD, and ignores the query',
  async (path, type) => {
    const [get, head] = await Promise.all([ask(path), ask(path, 'HEAD')]);
    expect([get.status, get.headers.get('content-type')]).toEqual([200, type]);
    expect(get.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, type, '']);
    await keptEverywhere(path);
    const etag = (await ask(path)).headers.get('etag')!;
    const query = await ask(`${path}?page=2`);
    expect([query.status, query.headers.get('etag')]).toEqual([200, etag]);
    expect((await fetch(seeded.base + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await ask(path, 'POST')).status).toBeGreaterThanOrEqual(400);
  },
);

it('crawler files sitemap and feed list every public experiment, the sitemap also every page, and neither lists hidden content (LIST-29)', async () => {
  const listed = await publish({ title: 'Found & mapped' });
  const hidden = [
    await draft('Unmapped draft', { account: creator }),
    await publish({ title: 'Unmapped archive', status: 'archived' }),
  ];
  const places = async () =>
    [...(await textOf('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) =>
      place!.slice(seeded.base.length),
    );
  const found = await places();
  expect(found.slice(0, PAGES.length).toSorted()).toEqual(PAGES.toSorted());
  expect(found).toContain(`/case-studies/${listed}/found-mapped`);
  expect(new Set(found).size).toBe(found.length);
  const feed = await textOf('/feed.xml');
  expect(feed).toContain(listed);
  for (const id of hidden) for (const output of [found.join(), feed]) expect(output).not.toContain(id);
  for (const path of found) expect((await headOf(path)).canonical, path).toBe(seeded.base + path);
  await (await dataAs(admin)).from('projects').update({ status: 'draft' }).eq('id', listed).throwOnError();
  expect((await places()).join()).not.toContain(listed);
  expect(await textOf('/feed.xml')).not.toContain(listed);
  for (const part of ['0.xml', '2.xml', '1', 'x.xml', '1.xml.gz'])
    expect((await ask(`/sitemaps/${part}`)).status, part).toBe(404);
});

it('crawler files robots.txt names the sitemap, and disallows the admin area, the helper pages, drafts and the services', async () => {
  const lines = (await textOf('/robots.txt')).split('\n');
  expect(lines).toContain(`Sitemap: ${seeded.base}/sitemap.xml`);
  const closed = lines.filter((line) => line.startsWith('Disallow: ')).map((line) => line.slice('Disallow: '.length));
  const pattern = (rule: string) => new RegExp(`^${rule.replace(/[.?+]/g, '\\$&').replaceAll('*', '.*')}`);
  const isClosed = (path: string) => closed.some((rule) => pattern(rule).test(path));
  for (const path of ['/admin', '/admin/projects', '/admin-setup', '/admin-help', '/admin-login', '/verify-user'])
    expect(isClosed(path), path).toBe(true);
  for (const path of ['/sign-in?next=%2F', '/reset-password', '/case-studies/1?draft=abc', '/rest/v1/projects'])
    expect(isClosed(path), path).toBe(true);
  const files = ['/feed.xml', '/social/home.jpg', '/storage/v1/object/public/a.png'];
  for (const path of [...PAGES, ...files, '/accounting', '/case-studies?q=a']) expect(isClosed(path), path).toBe(false);
});

it('crawler files the feed shows a published experiment immediately, newest first, complete and sanitized', async () => {
  await textOf('/feed.xml');
  const id = await publish({ title: 'Fed & fresh', description: '<p>Read it <b onclick="steal()">here</b>.</p>' });
  const feed = await textOf('/feed.xml');
  const first = /<entry>\n<id>(.*?)<\/id>\n<title>(.*?)<\/title>/.exec(feed)?.slice(1);
  expect(first).toEqual([`urn:uuid:${id}`, 'Fed &#38; fresh']);
  expect(feed).toContain(`<author><name>${agency.organisation}</name>`);
  expect(feed).toContain('&#60;p&#62;Read it &#60;strong&#62;here&#60;/strong&#62;.&#60;/p&#62;');
  expect(feed.includes('steal()')).toBe(false);
  expect(feed.match(/<entry>/g)!.length).toBeLessThanOrEqual(24);
});

it('crawler files every icon exists in its declared size', async () => {
  const { icons } = JSON.parse(await textOf('/manifest.webmanifest')) as { icons: { src: string; sizes: string }[] };
  const linked = [...(await textOf('/')).matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g)];
  expect(linked.map(([, href]) => href)).toEqual(['/favicon.ico', '/icon.svg', '/apple-touch-icon.png']);
  expect((await ask('/favicon.ico')).headers.get('content-type')).toBe('image/x-icon');
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const answer = await ask(src);
    expect(answer.status, src).toBe(200);
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
  }
});
