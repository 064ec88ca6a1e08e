import { describe, expect, it } from 'vitest';
import type { Draft } from '#features/drafts/model/draft.ts';
import { newSecret } from '#lib/data/ids.ts';
import { gather, isSame, mergedDraft } from './merge-drafts.ts';
import { emptySubmission, type MediaItem, type Submission, unsaid } from './submission.ts';

const first = emptySubmission();
const written = (part: Partial<Submission>): Submission => ({ ...first, ...part });
const draft = (part: Partial<Submission> = {}, more: Partial<Draft> = {}): Draft => ({
  secret: newSecret(),
  savedAt: 1,
  submission: written(part),
  sending: false,
  wanted: false,
  parted: null,
  aside: false,
  account: null,
  ...more,
});
const picture = (id: string, part: Partial<MediaItem> = {}): MediaItem => ({
  ...unsaid,
  id,
  type: 'image',
  url: `https://pictures.example/${id}.jpg`,
  isUploading: false,
  file: null,
  ...part,
});

describe('two hands on one submission', () => {
  it('keep what each of them wrote', () => {
    const base = written({ title: 'Lamp', tags: ['light', 'old'], media: [picture('a'), picture('b')] });
    const mine = { ...base, brief: '<p>Why</p>', tags: ['light'], media: [picture('b'), picture('a')] };
    const other = { ...base, title: 'A lamp', tags: ['light', 'old', 'sound'], media: [...base.media, picture('c')] };
    expect(mergedDraft(base, mine, other)).toEqual({
      ...base,
      title: 'A lamp',
      brief: '<p>Why</p>',
      tags: ['light', 'sound'],
      media: [picture('b'), picture('a'), picture('c')],
    });
  });

  it('take out a picture that one removed, unless the other said something about it', () => {
    const base = written({ media: [picture('a'), picture('b')] });
    const mine = { ...base, media: [] };
    const other = { ...base, media: [picture('a'), picture('b', { caption: 'Lit' })] };
    expect(mergedDraft(base, mine, other)?.media).toEqual([picture('b', { caption: 'Lit' })]);
    expect(mergedDraft(base, other, mine)?.media).toEqual([picture('b', { caption: 'Lit' })]);
  });

  it('say when they contradict each other, in a text as under a picture', () => {
    const base = written({ media: [picture('a')] });
    expect(mergedDraft(base, { ...base, title: 'A' }, { ...base, title: 'B' })).toBeNull();
    const captioned = (caption: string) => ({ ...base, media: [picture('a', { caption })] });
    expect(mergedDraft(base, captioned('A'), captioned('B'))).toBeNull();
    expect(mergedDraft(base, captioned('A'), captioned('A'))).toEqual(captioned('A'));
  });

  it('are the same when only a file has come further, or an editor left an empty paragraph', () => {
    const file = { name: 'a.png', size: 1, contentType: 'image/png', path: 'p', uploadedAt: null, failure: null };
    const under = written({ media: [picture('a', { url: '', isUploading: true, file })] });
    const there = written({ media: [picture('a', { file: { ...file, uploadedAt: 5 } })], brief: '<p></p>' });
    expect(isSame(under, there)).toBe(true);
    expect(isSame(under, written({ media: [] }))).toBe(false);
  });
});

describe('a form that takes in what other tabs kept', () => {
  it('becomes the draft, secret and all, when nothing was typed', () => {
    const other = draft({ title: 'Lamp' }, { wanted: true });
    expect(gather(draft(), [['x', other]], first)).toEqual({ draft: other, taken: ['x'], aside: [] });
  });

  it('joins what does not contradict, and lets empty copies go', () => {
    const mine = draft({ client: 'Acme' });
    const { draft: joined, taken } = gather(
      mine,
      [
        ['x', draft({ title: 'Lamp' })],
        ['y', draft()],
      ],
      first,
    );
    expect(joined).toEqual({ ...mine, submission: written({ title: 'Lamp', client: 'Acme' }) });
    expect(taken).toEqual(['x', 'y']);
  });

  it('leaves beside it what says something else, or may be with the server already', () => {
    const mine = draft({ title: 'Chair' });
    const others: [string, Draft][] = [
      ['x', draft({ title: 'Lamp' })],
      ['y', draft({ client: 'Acme' }, { sending: true })],
    ];
    expect(gather(mine, others, first)).toEqual({ draft: mine, taken: [], aside: ['x', 'y'] });
  });

  it('takes the newest before what was left beside it earlier', () => {
    const others: [string, Draft][] = [
      ['beside', draft({ title: 'Chair' }, { aside: true })],
      ['fresh', draft({ title: 'Lamp' })],
    ];
    const { draft: now, taken, aside } = gather(draft(), others, first);
    expect([now.submission.title, taken, aside]).toEqual(['Lamp', ['fresh'], ['beside']]);
  });

  it('goes on with what another tab made of it, and adds what was typed here since', () => {
    const atParting = written({ title: 'Lamp' });
    const mine = draft({ title: 'Lamp', client: 'Acme' }, { parted: atParting });
    const theirs = draft({ title: 'A lamp that listens' }, { secret: mine.secret });
    const { draft: now } = gather(mine, [['x', theirs]], first);
    expect(now).toMatchObject({ parted: null, submission: { title: 'A lamp that listens', client: 'Acme' } });
  });

  it('is empty again when the other tab has sent it, but for what was typed here since', () => {
    const atParting = written({ title: 'Lamp' });
    const same = draft({ title: 'Lamp' }, { parted: atParting });
    expect(gather(same, [], first).draft.submission).toEqual(first);
    const more = draft({ title: 'Lamp', brief: '<p>Why</p>' }, { parted: atParting });
    const { draft: now } = gather(more, [], first);
    expect(now.submission).toEqual(more.submission);
    // Under a secret of its own: the old one opens what was sent.
    expect(now.secret).not.toBe(more.secret);
  });
});
