import { describe, expect, it } from 'vitest';
import type { StoredCredit } from '#features/credits/model/credits.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { eachField, type StoredFields } from '../fields.ts';
import { differences, linesOf, movedItems, nameOfMedia } from './version-difference.ts';
import type { VersionContent, VersionKey } from './versions.ts';
import { savedBy, summaryOf } from './versions.ts';

const picture = (id: string, title: string | null = null) => ({
  id,
  type: 'image' as const,
  url: `https://pictures.example/${id}.png?width=3`,
  title,
  description: null,
  alt: null,
  made: null,
  poster: null,
  is_cover: false,
});
const member = (id: string, share: number | null) => ({
  id,
  user_id: null,
  name: id,
  role: 'Ink',
  contribution_percentage: share,
});
const version: VersionContent = {
  ...eachField<StoredFields>(() => null),
  title: 'Mad hats',
  status: 'draft',
  show_budget: true,
  description: '<p>We make hats.</p>',
  tags: [],
  credits: [
    { part: 'Idea', made: 'hand', people: ['Asha Rao'] },
    { part: 'Film', made: 'machine' },
    { part: 'Code', made: 'machine' },
  ],
  media: [picture('a', 'A hat'), picture('b'), picture('c')],
  team: [member('Asha', 50), member('Ben', null)],
};
const defined: ProjectFact[] = [
  { id: 'material', kind: 'text', name: 'Material', help: '', required: false, shown: 'page' },
];
const to = (change: Partial<VersionContent>) => differences(version, { ...version, ...change }, defined);

describe('difference between two versions', () => {
  it('names each changed fact, except those that were removed', () => {
    expect(to({ facts: { material: 'Felt', removed: 'x' } })).toEqual([
      { key: 'facts.material', name: 'Material', shape: 'value', before: 'Nothing', after: 'Felt' },
    ]);
  });

  it('describes changed credits for each part', () => {
    const [idea, film, code] = version.credits as [StoredCredit, StoredCredit, StoredCredit];
    const changes = (...credits: StoredCredit[]) => to({ credits });
    expect(changes({ ...idea, people: [], tools: ['A pen'] }, film, code, { part: 'Film', made: 'together' })).toEqual([
      {
        key: 'credits',
        name: 'Who made what',
        shape: 'list',
        changes: [
          { kind: 'changed', what: 'Idea', how: 'from “by hand: Asha Rao” to “by hand, with A pen”' },
          { kind: 'added', what: 'Film 2', how: 'by hand and machine together' },
        ],
      },
    ]);
    const moved = { kind: 'moved', what: 'Idea', how: 'now number 3' };
    expect(changes(film, code, idea)).toMatchObject([{ changes: [moved] }]);
    const removed = { kind: 'removed', what: 'Idea', how: 'by hand: Asha Rao' };
    expect(changes(film, code)).toMatchObject([{ changes: [removed] }]);
    expect(changes(idea, film, code)).toEqual([]);
  });

  it('is empty for equal versions', () =>
    expect(to({ media: version.media.map((item) => ({ ...item })) })).toEqual([]));

  it('describes fields and values in the order of the form', () => {
    expect(
      to({ tags: ['felt', 'wool'], budget: 12.5, category: 'ai', show_budget: false, start_date: '2026-03-01' }),
    ).toEqual([
      { key: 'budget', name: 'Budget', shape: 'value', before: 'Nothing', after: '$12.50' },
      { key: 'show_budget', name: 'Budget shown publicly', shape: 'value', before: 'Yes', after: 'No' },
      { key: 'start_date', name: 'Start date', shape: 'value', before: 'Nothing', after: '2026-03-01' },
      { key: 'category', name: 'Category', shape: 'value', before: 'Nothing', after: 'AI Solutions' },
      { key: 'tags', name: 'Tags', shape: 'value', before: 'Nothing', after: 'felt, wool' },
    ]);
  });

  it('compares the words of texts and ignores their markup', () => {
    expect(to({ description: '<h2>We make <em>felt</em> hats.</h2>' })).toEqual([
      {
        key: 'description',
        name: 'The Brief',
        shape: 'text',
        pieces: [
          { kind: 'same', text: 'We make ' },
          { kind: 'new', text: 'felt ' },
          { kind: 'same', text: 'hats.' },
        ],
      },
    ]);
    expect(to({ description: '<p>We <strong>make</strong> hats.</p>' })).toEqual([
      { key: 'description', name: 'The Brief', shape: 'form' },
    ]);
  });

  it('lists added, removed, moved and edited media', () => {
    const [a, , c] = version.media;
    const [found] = to({ media: [c!, { ...a!, title: 'The hat' }, picture('d', 'New')] });
    expect(found).toMatchObject({ key: 'media', shape: 'list' });
    expect(found && 'changes' in found && found.changes).toEqual([
      { kind: 'removed', what: `Picture “b.png”`, how: '' },
      { kind: 'moved', what: 'Picture “The hat”', how: 'to place 2' },
      { kind: 'changed', what: 'Picture “A hat”', how: 'title from “A hat” to “The hat”' },
      { kind: 'added', what: 'Picture “New”', how: 'at place 3' },
    ]);
  });

  it('describes changed alt texts, credits and covers of media', () => {
    const [a, b, c] = version.media;
    const poster = 'https://a.example/p.png';
    const [found] = to({
      media: [
        { ...a!, alt: 'A felt hat', made: 'machine', is_cover: true },
        { ...b!, alt: '' },
        { ...c!, poster },
      ],
    });
    expect(found && 'changes' in found && found.changes.map(({ what, how }) => `${what}: ${how}`)).toEqual([
      'Picture “A hat”: what it shows from nothing to “A felt hat”',
      'Picture “A hat”: who made it from nothing to “machine”',
      'Picture “A hat”: chosen as the cover',
      'Picture “b.png”: what it shows from nothing to “decorative”',
      `Picture “c.png”: poster from nothing to “${poster}”`,
    ]);
  });

  it('shows the start of the file name for a stored picture without a title', () => {
    const url =
      'https://a.example/storage/v1/object/public/case-studies/images/51b5e21d-00fa-4c1b-9d1e-aa0b1c2d3e4f.png';
    expect(nameOfMedia({ type: 'image', title: null, url })).toBe('Picture “51b5e21d”');
    expect(nameOfMedia({ type: 'image', title: null, alt: 'A felt hat', url })).toBe('Picture “A felt hat”');
  });

  it('lists members who joined, left or changed their share', () => {
    const [found] = to({ team: [member('Asha', 40), member('Cleo', 10)] });
    expect(found && 'changes' in found && found.changes).toEqual([
      { kind: 'removed', what: 'Ben, Ink', how: 'no share' },
      { kind: 'changed', what: 'Asha, Ink', how: 'from 50% to 40%' },
      { kind: 'added', what: 'Cleo, Ink', how: '10%' },
    ]);
  });

  it('finds the smallest set of moved items', () => {
    const moved = ['abcd', 'bcda', 'dabc', 'acbd'].map((after) => [...movedItems([...'abcd'], [...after])].join());
    expect(moved).toEqual(['', 'a', 'd', 'b']);
    expect(movedItems([...'abc'], [...'cba']).size).toBe(2);
  });
});

it('converts HTML to lines of text', () => {
  expect(linesOf('<h2>Hats</h2><ul><li><p>Felt &amp; wool</p></li><li>Straw</li></ul><p></p>')).toBe(
    'Hats\nFelt & wool\nStraw',
  );
  expect(linesOf(null)).toBe('');
});

describe('summary of a version', () => {
  it('describes the changes', () => {
    const summary = (number: number, changed: VersionKey[], restored_from: number | null = null) =>
      summaryOf({ number, changed, restored_from });
    expect([summary(1, []), summary(3, ['team', 'title']), summary(4, ['title'], 2)]).toEqual([
      ...['First version', 'Title, Project Team', 'Version 2 restored: Title'],
    ]);
  });

  it('names the user who saved it', () => {
    expect(savedBy({ actor: { name: 'Asha', email: 'a@example.com' }, actor_kind: 'admin' })).toBe('Asha');
    expect(savedBy({ actor: { name: null, email: 'a@example.com' }, actor_kind: 'user' })).toBe('a@example.com');
    expect(savedBy({ actor: null, actor_kind: 'guest' })).toBe('The sender of the draft');
    expect(savedBy({ actor: null, actor_kind: 'admin' })).toBe('Deleted account');
  });
});
