import { describe, expect, it } from 'vitest';
import { withTag } from '#features/projects/model/tags.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { emptySubmission, firstProblem, isEmptyText, isFilled, REQUIRED_FIELDS, undescribed } from './submission.ts';

const url = 'https://example.com/a.jpg';
const picture = { id: newId(), type: 'image' as const, url, ...undescribed, isUploading: false, file: null };
const texts = { brief: '<p>Why</p>', understanding: '<p>What</p>', actions: '<p>How</p>', impact: '<p>So</p>' };
const complete = { ...emptySubmission(), title: 'A lamp that listens', media: [picture], ...texts };

describe('submission validation', () => {
  it.each([
    ['title', { title: '  \n ' }, 'Project title is required'],
    ['media', { media: [] }, 'At least one media item is required'],
    ['brief', { brief: '' }, 'Brief is required'],
    ['understanding', { understanding: '' }, 'Understanding is required'],
    ['actions', { actions: '' }, 'Actions taken are required'],
    ['impact', { impact: '' }, 'Impact description is required'],
  ])('requires %s', (field, change, message) => {
    expect(firstProblem({ ...complete, ...change })).toMatchObject({ field, message });
  });

  it.each([
    ['title', { title: 'x'.repeat(201) }, 'Project Title is too long: at most 200 characters'],
    ['client', { client: 'x'.repeat(201) }, 'Client Name is too long: at most 200 characters'],
    ['media', { media: [{ ...picture, caption: 'x'.repeat(501) }] }, 'is too long: at most 500 characters'],
    ['media', { media: [{ ...picture, alt: 'x'.repeat(501) }] }, 'is too long: at most 500 characters'],
    ['media', { media: Array(51).fill(picture) }, 'An experiment holds at most 50 media items.'],
    ['contact', { contact: `${'x'.repeat(250)}@a.example` }, 'is too long: at most 254 characters'],
    ['impact', { impact: `<p>${'é'.repeat(51_200)}</p>` }, 'The Impact is longer than 100 KB'],
  ])('rejects a %s that is too long', (field, change, message) => {
    const problem = firstProblem({ ...complete, ...change });
    expect(problem).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  it('names the media item with a caption that is too long', () => {
    const media = [picture, { ...picture, id: newId(), caption: 'x'.repeat(501) }];
    expect(firstProblem({ ...complete, media })).toMatchObject({ item: media[1]!.id });
  });

  it('accepts a complete submission, and counts characters as the database does', () => {
    expect(REQUIRED_FIELDS.every((field) => isFilled(complete, field))).toBe(true);
    for (const title of ['😀'.repeat(200), `${'x'.repeat(200)}   `])
      expect(firstProblem({ ...complete, title })).toBeNull();
  });

  it('reports the first missing field in the order of the page', () => {
    const order = [];
    let submission = emptySubmission();
    for (let problem = firstProblem(submission); problem; problem = firstProblem(submission)) {
      order.push(problem.field);
      submission = { ...submission, [problem.field]: complete[problem.field] };
    }
    expect(order).toEqual(['title', 'media', 'brief', 'understanding', 'actions', 'impact']);
  });
});

describe('empty text (SUBMIT-27)', () => {
  const empty = ['', '<p></p>', '<p> &nbsp; </p>', '<p><br></p><p></p>', '<h1></h1><ul><li><p>\u200b</p></li></ul>'];
  it.each(empty)('is detected for %j', (html) => expect(isEmptyText(html)).toBe(true));

  const embeds = ['<img src="https://a.b/c.png">', '<iframe src="https://player.vimeo.com/video/1">'];
  it.each(['<p>a</p>', '<p>&lt;</p>', ...embeds])('is not detected for %j', (html) =>
    expect(isEmptyText(html)).toBe(false),
  );

  it('is detected quickly in hostile markup', async () => {
    const read = () => ['<'.repeat(200_000), '<p'.repeat(100_000)].map(isEmptyText);
    expect(await cpuTimeOf(read)).toBeLessThan(500);
  });
});

describe('tags (SUBMIT-28)', () => {
  it('are trimmed, added once and never blank', () => {
    expect(['  neon ', 'neon', 'Neon', '  '].reduce(withTag, [])).toEqual(['neon', 'Neon']);
  });

  it('have no maximum number (SUBMIT-30)', () => {
    expect(Array.from({ length: 600 }, (_, at) => `tag ${at}`).reduce(withTag, [])).toHaveLength(600);
  });
});

it('creates ids and secrets in the required format', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newSecret()).toMatch(/^[\w-]{43}$/);
  expect(newSecret()).not.toBe(newSecret());
});
