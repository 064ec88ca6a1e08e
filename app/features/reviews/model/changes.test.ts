import { describe, expect, it } from 'vitest';
import type { Project } from '#features/projects/model/read.ts';
import { changesSince, type DraftAsTold, isUnchanged } from './changes.ts';

const before: DraftAsTold = {
  title: 'A lamp',
  client: null,
  category: null,
  tags: ['neon'],
  credits: [{ part: 'Idea', made: 'hand' }],
  brief: '<p>Brief</p>',
  understanding: null,
  actions: null,
  impact: null,
  media: [
    { id: '1', type: 'image', url: 'https://pictures.example/1.png', title: null, alt: null },
    { id: '2', type: 'image', url: 'https://pictures.example/2.png', title: 'Two', alt: null },
  ],
};
const now = (change: Partial<Project> = {}) =>
  ({ ...before, project_media: before.media, ...change }) as unknown as Project;
const media = (...items: object[]) => items as Project['project_media'];
const [one, two] = before.media;

describe('what changed', () => {
  it('is nothing when nothing did; no client and an empty one are the same', () => {
    expect(isUnchanged(changesSince(before, now({ client: '', understanding: '' })))).toBe(true);
  });

  it('is listed part by part, with the text before', () => {
    const changes = changesSince(
      before,
      now({ title: 'A lamp with ears', tags: ['neon', 'ears'], impact: '<p>Heard</p>' }),
    );
    expect(changes.parts).toEqual([
      { part: 'title', before: 'A lamp' },
      { part: 'tags', before: 'neon' },
      { part: 'impact', before: '' },
    ]);
    expect(isUnchanged(changes)).toBe(false);
  });

  it('knows media that came, went and were given words', () => {
    const three = { id: '3', type: 'image', url: 'https://pictures.example/3.png', title: null };
    expect(changesSince(before, now({ project_media: media({ ...one, title: 'One', alt: 'A lamp' }, three) }))).toEqual(
      {
        parts: [],
        added: [three.url],
        removed: [two!.url],
        reworded: [
          { id: '1', said: 'title', before: '' },
          { id: '1', said: 'alt', before: '' },
        ],
        reordered: false,
      },
    );
  });

  it('knows another order, and does not take a missing picture for one', () => {
    expect(changesSince(before, now({ project_media: media(two!, one!) })).reordered).toBe(true);
    expect(changesSince(before, now({ project_media: media(two!) })).reordered).toBe(false);
  });
});
