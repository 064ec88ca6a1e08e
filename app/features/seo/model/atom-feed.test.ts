import { describe, expect, it } from 'vitest';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { atomFeed, type FeedExperiment } from './atom-feed.ts';

const site = 'https://madhouse.example';
const host = { origin: site, own: true, pictureHosts: [], defaultCover: '/house-cover.svg' };
const experiment = (more: Partial<FeedExperiment> = {}): FeedExperiment => ({
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  title: 'Chai Atlas',
  description: '<p>One hundred stalls.</p>',
  created_at: '2026-03-01T10:00:00+00:00',
  updated_at: '2026-03-02T10:00:00+00:00',
  understanding: null,
  actions: null,
  impact: null,
  project_media: [],
  case_study_metadata: null,
  ...more,
});
const feedOf = (...experiments: FeedExperiment[]) => atomFeed(experiments, builtInFacts.agency, 'Newest first.', host);
const content = (feed: string) =>
  /<content type="html">([\s\S]*?)<\/content>/
    .exec(feed)?.[1]
    ?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe('Atom feed', () => {
  it('has the date of its newest change, and a date when it is empty', () => {
    expect(feedOf()).toMatch(/<updated>\d{4}-\d\d-\d\dT00:00:00Z<\/updated>/);
    const feed = feedOf(experiment(), experiment({ updated_at: '2026-05-01T00:00:00+05:30' }));
    expect(/<updated>(.*?)<\/updated>/.exec(feed)?.[1]).toBe('2026-04-30T18:30:00.000Z');
  });

  it('keeps the id of an entry when its other fields change', () => {
    const ids = [feedOf(experiment()), feedOf(experiment({ title: 'Another' }))].map(
      (feed) => /<entry>\n<id>(.*?)<\/id>/.exec(feed)?.[1],
    );
    expect(ids).toEqual(Array(2).fill('urn:uuid:6f9619ff-8b86-4d01-b42d-00cf4fc964ff'));
  });

  it('contains sanitized texts with links for videos', () => {
    const feed = feedOf(
      experiment({
        description: '<p onclick="x()">One <script>alert(1)</script>stall.</p><img src="data:image/png;base64,AAAA">',
        impact: '<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ"></iframe><p>Queues.</p>',
      }),
    );
    expect(content(feed)).toBe(
      '<p>One stall.</p>\n<p><a href="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ">www.youtube-nocookie.com</a></p><p>Queues.</p>',
    );
  });

  it('contains the category, and the texts in the order of the page', () => {
    const texts = { description: '<p>Told better.</p>', actions: '<p>Drew.</p>' };
    const feed = feedOf(experiment({ ...texts, case_study_metadata: { category: 'video' } }));
    expect(content(feed)).toBe('<p>Told better.</p>\n<p>Drew.</p>');
    expect(feed).toContain('<summary>Told better.</summary>');
    expect(feed).toContain('<category term="video" label="Video Production"/>');
  });

  it('shortens texts that are too long for a feed', () => {
    const feed = feedOf(experiment({ description: `<p>${'long '.repeat(20_000)}</p>` }));
    expect(content(feed)).toBeUndefined();
    expect(feed).toMatch(/<summary>long long .{100,160}<\/summary>/);
    expect(feed.length).toBeLessThan(5_000);
  });

  it('contains the cover', () => {
    const sizes = { title: null, width: null, height: null, placeholder: null };
    const cover = (url: string) => feedOf(experiment({ project_media: [{ type: 'image', url, ...sizes }] }));
    expect(cover('https://madhouse.example/storage/v1/object/public/case-studies/images/a.jpg')).toContain(
      '<link rel="enclosure" type="image/jpeg" href="https://madhouse.example/storage/v1/object/public/case-studies/images/a.jpg"/>',
    );
    expect(feedOf(experiment())).not.toContain('enclosure');
  });
});
