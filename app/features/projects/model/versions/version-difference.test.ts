import { describe, expect, it } from 'vitest';
import type { StoredCredit } from '#features/credits/model/credits.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { eachField, type StoredFields } from '../fields.ts';
import { differences, linesOf, movedItems, nameOfMedia } from './version-difference.ts';
import { savedBy, summaryOf, type VersionContent, type VersionKey } from './versions.ts';

const plain = { type: 'image' as const, description: null, alt: null, made: null, poster: null, is_cover: false };
const picture = (id: string, title: string | null = null) => ({
  ...plain,
  id,
  url: `https://pictures.example/${id}.png?width=3`,
  title,
});
const ink = { user_id: null, role: 'Ink' };
const member = (id: string, share: number | null) => ({ ...ink, id, name: id, contribution_percentage: share });
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
const fact: ProjectFact = { id: 'material', kind: 'text', name: 'Material', help: '', required: false, shown: 'page' };
const to = (change: Partial<VersionContent>) => differences(version, { ...version, ...change }, [fact]);
const listed = (change: Partial<VersionContent>) => {
  const [found] = to(change);
  return found && 'changes' in found && found.changes.map(({ kind, what, how }) => `${kind} ${what}: ${how}`);
};

describe('difference between two versions', () => {
  it('names each changed fact, except those that were removed', () => {
    const material = { key: 'facts.material', name: 'Material', shape: 'value', before: 'Nothing', after: 'Felt' };
    expect(to({ facts: { material: 'Felt', removed: 'x' } })).toEqual([material]);
  });

  it('describes changed credits for each part', () => {
    const [idea, film, code] = version.credits as [StoredCredit, StoredCredit, StoredCredit];
    const changes = (...credits: StoredCredit[]) => listed({ credits });
    expect(changes({ ...idea, people: [], tools: ['A pen'] }, film, code, { part: 'Film', made: 'together' })).toEqual([
      'changed Idea: from “by hand: Asha Rao” to “by hand, with A pen”',
      'added Film 2: by hand and machine together',
    ]);
    expect(changes(film, code, idea)).toEqual(['moved Idea: now number 3']);
    expect(changes(film, code)).toEqual(['removed Idea: by hand: Asha Rao']);
    expect(to({ credits: [idea, film, code] })).toEqual([]);
  });

  it('is empty for equal versions', () =>
    expect(to({ media: version.media.map((item) => ({ ...item })) })).toEqual([]));

  it('describes fields and values in the order of the form', () => {
    const tags = ['felt', 'wool'];
    const fields = { tags, budget: 12.5, category: 'ai', show_budget: false, start_date: '2026-03-01' };
    expect(to(fields).map((one) => one.shape === 'value' && `${one.name}: ${one.before}, ${one.after}`)).toEqual([
      'Budget: Nothing, $12.50',
      'Budget shown publicly: Yes, No',
      'Start date: Nothing, 2026-03-01',
      'Category: Nothing, AI Solutions',
      'Tags: Nothing, felt, wool',
    ]);
  });

  it('compares the words of texts and ignores their markup', () => {
    const [changed] = to({ description: '<h2>We make <em>felt</em> hats.</h2>' });
    expect(changed).toMatchObject({ key: 'description', name: 'The Brief', shape: 'text' });
    const pieces = changed && 'pieces' in changed ? changed.pieces : [];
    expect(pieces.map(({ kind, text }) => `${kind}:${text}`).join('|')).toBe('same:We make |new:felt |same:hats.');
    expect(to({ description: '<p>We <strong>make</strong> hats.</p>' })).toMatchObject([{ shape: 'form' }]);
  });

  it('lists added, removed, moved and edited media', () => {
    const [a, , c] = version.media;
    expect(listed({ media: [c!, { ...a!, title: 'The hat' }, picture('d', 'New')] })).toEqual([
      'removed Picture “b.png”: ',
      'moved Picture “The hat”: to place 2',
      'changed Picture “A hat”: title from “A hat” to “The hat”',
      'added Picture “New”: at place 3',
    ]);
  });

  it('describes changed alt texts, credits and covers of media', () => {
    const [a, b, c] = version.media;
    const poster = 'https://a.example/p.png';
    const hat = { ...a!, alt: 'A felt hat', made: 'machine' as const, is_cover: true };
    expect(listed({ media: [hat, { ...b!, alt: '' }, { ...c!, poster }] })).toEqual([
      'changed Picture “A hat”: what it shows from nothing to “A felt hat”',
      'changed Picture “A hat”: who made it from nothing to “machine”',
      'changed Picture “A hat”: chosen as the cover',
      'changed Picture “b.png”: what it shows from nothing to “decorative”',
      `changed Picture “c.png”: poster from nothing to “${poster}”`,
    ]);
  });

  it('shows the start of the file name for a stored picture without a title', () => {
    const url =
      'https://a.example/storage/v1/object/public/case-studies/images/51b5e21d-00fa-4c1b-9d1e-aa0b1c2d3e4f.png';
    expect(nameOfMedia({ type: 'image', title: null, url })).toBe('Picture “51b5e21d”');
    expect(nameOfMedia({ type: 'image', title: null, alt: 'A felt hat', url })).toBe('Picture “A felt hat”');
  });

  it('lists members who joined, left or changed their share', () => {
    const changes = ['removed Ben, Ink: no share', 'changed Asha, Ink: from 50% to 40%', 'added Cleo, Ink: 10%'];
    expect(listed({ team: [member('Asha', 40), member('Cleo', 10)] })).toEqual(changes);
  });

  it('finds the smallest set of moved items', () => {
    const moved = ['abcd', 'bcda', 'dabc', 'acbd'].map((after) => [...movedItems([...'abcd'], [...after])].join());
    expect(moved).toEqual(['', 'a', 'd', 'b']);
    expect(movedItems([...'abc'], [...'cba']).size).toBe(2);
  });
});

it('converts HTML to lines of text', () => {
  const html = '<h2>Hats</h2><ul><li><p>Felt &amp; wool</p></li><li>Straw</li></ul><p></p>';
  expect(linesOf(html)).toBe('Hats\nFelt & wool\nStraw');
  expect(linesOf(null)).toBe('');
});

describe('summary of a version', () => {
  it('describes the changes', () => {
    const summary = (number: number, changed: VersionKey[], restored_from: number | null = null) =>
      summaryOf({ number, changed, restored_from });
    const summaries = [summary(1, []), summary(3, ['team', 'title']), summary(4, ['title'], 2)];
    expect(summaries).toEqual(['First version', 'Title, Project Team', 'Version 2 restored: Title']);
  });

  it('names the user who saved it', () => {
    const actor = { name: 'Asha', email: 'a@example.com' };
    const deleted = { ...actor, name: null };
    const saved = [savedBy({ actor, actor_kind: 'admin' }), savedBy({ actor: deleted, actor_kind: 'user' })];
    expect(saved).toEqual(['Asha', 'a@example.com']);
    const unknown = (['guest', 'admin'] as const).map((actor_kind) => savedBy({ actor: null, actor_kind }));
    expect(unknown).toEqual(['The sender of the draft', 'A former editor']);
  });
});
