import { describe, expect, it } from 'vitest';
import type { Project } from '#features/projects/model/read.ts';
import { changesSince, type DraftContent } from './changes.ts';

const undescribed = { title: null, description: null, alt: null, made: null, poster: null, is_cover: false };
const before: DraftContent = {
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
    { ...undescribed, id: '1', type: 'image', url: 'https://pictures.example/1.png' },
    { ...undescribed, id: '2', type: 'image', url: 'https://pictures.example/2.png', title: 'Two' },
  ],
};
const now = (change: Partial<Project> = {}) =>
  ({ ...before, project_media: before.media, ...change }) as unknown as Project;
const media = (...items: object[]) => items as Project['project_media'];
const [one, two] = before.media;

describe('submission changes', () => {
  it('are empty without changes; a null client equals an empty one', () => {
    expect(changesSince(before, now({ client: '', understanding: '' }))).toEqual([]);
  });

  it('are listed by field with the previous text', () => {
    const credits = [{ part: 'Idea', made: 'machine' as const, people: [], tools: [] }];
    const change = { title: 'A lamp with ears', tags: ['neon', 'ears'], brief: '<p>Quiet</p>', credits };
    const changes = changesSince(before, now(change));
    const textBefore = (key: string) => {
      const found = changes.find((change) => change.key === key);
      return found?.shape === 'text' && found.pieces.map(({ kind, text }) => (kind === 'new' ? '' : text)).join('');
    };
    expect(changes.map(({ name }) => name)).toEqual(['Title', 'The Brief', 'Tags', 'Who made what']);
    expect([textBefore('title'), textBefore('description')]).toEqual(['A lamp', 'Brief']);
    const creditChanges = { changes: [{ kind: 'changed', what: 'Idea' }] };
    expect(changes.slice(2)).toMatchObject([{ before: 'neon', after: 'neon, ears' }, creditChanges]);
  });

  it('list added, removed and edited media', () => {
    const three = { ...undescribed, id: '3', type: 'image', url: 'https://pictures.example/3.png' };
    const project_media = media({ ...one, title: 'One', alt: 'A lamp' }, three);
    const [change] = changesSince(before, now({ project_media }));
    expect(change).toMatchObject({
      key: 'media',
      changes: [
        { kind: 'removed', what: 'Picture “Two”' },
        { kind: 'changed', how: 'title from nothing to “One”' },
        { kind: 'changed', how: 'what it shows from nothing to “A lamp”' },
        { kind: 'added', what: 'Picture “3.png”' },
      ],
    });
  });

  it('detect a changed order, and do not report a removed picture as one', () => {
    const kinds = (...items: object[]) =>
      changesSince(before, now({ project_media: media(...items) })).map(
        (found) => found.shape === 'list' && found.changes.map(({ kind }) => kind),
      );
    expect(kinds(two!, one!)).toEqual([['moved']]);
    expect(kinds(two!)).toEqual([['removed']]);
  });
});
