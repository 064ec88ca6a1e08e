import { describe, expect, it } from 'vitest';
import { withStoredFiles } from './draft-store.ts';
import { emptySubmission, isSameContent, type MediaItem, undescribed } from './submission.ts';

const path = 'images/old.png';
const picture = (part: Partial<MediaItem> = {}, uploadedAt: number | null = null): MediaItem => ({
  ...undescribed,
  id: 'a',
  type: 'image',
  url: '',
  isUploading: false,
  file: { name: 'a.png', size: 1, contentType: 'image/png', path, uploadedAt, failure: null },
  ...part,
});
const withMedia = (...media: MediaItem[]) => ({ ...emptySubmission(), media });
const files = new Map([['a', new File(['a'], 'a.png')]]);
const HOUR_MS = 3600_000;

describe('files of a stored draft', () => {
  it('are queued again after an interrupted upload, and keep an upload of less than a day', () => {
    const { media } = withStoredFiles(withMedia(picture()), files);
    expect(media).toMatchObject([{ isUploading: true, file: { path } }]);
    const stored = picture({ url: 'https://a.b/old.png' }, Date.now() - 19 * HOUR_MS);
    expect(withStoredFiles(withMedia(stored), new Map()).media).toEqual([stored]);
  });

  it('are uploaded to a new path when the server has deleted them', () => {
    const expired = picture({ url: 'https://a.b/old.png' }, Date.now() - 21 * HOUR_MS);
    const { media } = withStoredFiles(withMedia(expired), files);
    expect(media).toMatchObject([{ url: '', isUploading: true }]);
    expect(media[0]!.file!.path).toMatch(/^images\/[0-9a-f-]{36}\.png$/);
  });

  it('are removed when their bytes are missing, also as a poster', () => {
    const film = picture({ id: 'v', type: 'video', url: 'https://a.b', file: null, poster: picture({ id: 'p' }) });
    expect(withStoredFiles(withMedia(picture(), film), new Map()).media).toMatchObject([{ id: 'v', poster: null }]);
  });
});

it('compares submissions without the state of uploads, empty paragraphs and empty credits', () => {
  const uploaded = picture({ url: 'https://a.b/old.png' }, 5);
  expect(isSameContent(withMedia(picture()), withMedia(uploaded))).toBe(true);
  expect(isSameContent(withMedia(picture()), withMedia(picture({ alt: '' })))).toBe(false);
  const credits = [{ key: '1', part: ' ', made: '' as const, people: [], tools: [], person: '', tool: '' }];
  expect(isSameContent({ ...emptySubmission(), brief: '<p></p>', credits }, emptySubmission())).toBe(true);
});
