import { diffArrays } from 'diff';
import { creditLine, creditsIn, type StoredCredit } from '#features/credits/model/credits.ts';
import type { FactValues, ProjectFact } from '#features/settings/model/project-facts.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { type Piece, wordDiff } from '#lib/data/word-diff.ts';
import { kindOf } from '../fields.ts';
import { valueText } from '../value-text.ts';
import { nameOfField, VERSION_KEYS, type VersionContent, type VersionKey } from './versions.ts';

export type ListChange = { kind: 'added' | 'removed' | 'moved' | 'changed'; what: string; how: string };

type ShapedDifference =
  | { shape: 'text'; pieces: Piece[] }
  /** Only formatting, links, headings or pictures inside the text differ. */
  | { shape: 'form' }
  | { shape: 'value'; before: string; after: string }
  | { shape: 'list'; changes: ListChange[] };

export type Difference = { key: string; name: string } & ShapedDifference;

/** @param defined the facts that admins define; changes of removed ones are left out */
export function differences(
  before: VersionContent,
  after: VersionContent,
  defined: readonly ProjectFact[],
): Difference[] {
  const fields = VERSION_KEYS.filter(
    (key) => key !== 'facts' && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  ).map((key) => ({ key, name: nameOfField(key), ...differenceOf(key, before, after) }));
  const facts = defined.flatMap(({ id, name }): Difference[] => {
    const valueIn = ({ facts }: { facts: FactValues | null }) => String(facts?.[id] ?? 'Nothing');
    const [was, is] = [valueIn(before), valueIn(after)];
    return was === is ? [] : [{ key: `facts.${id}`, name, shape: 'value', before: was, after: is }];
  });
  return [...fields, ...facts];
}

function differenceOf(key: VersionKey, before: VersionContent, after: VersionContent): ShapedDifference {
  if (key === 'media') return { shape: 'list', changes: mediaChanges(before.media, after.media) };
  if (key === 'credits') return { shape: 'list', changes: creditChanges(before.credits, after.credits) };
  if (key === 'team') return { shape: 'list', changes: teamChanges(before.team, after.team) };
  const was = valueText(key, before[key]);
  const is = valueText(key, after[key]);
  if (kindOf(key) === 'html') {
    const pieces = wordDiff(linesOf(was), linesOf(is));
    return pieces.every(({ kind }) => kind === 'same') ? { shape: 'form' } : { shape: 'text', pieces };
  }
  if (kindOf(key) === 'line' && was && is) return { shape: 'text', pieces: wordDiff(was, is) };
  return { shape: 'value', before: was ?? 'Nothing', after: is ?? 'Nothing' };
}

const BLOCK_END = /<\/(?:p|h[1-6]|li|blockquote|pre|div|tr)\s*>|<br\s*\/?>/gi;

/** Plain text, one line per paragraph, heading or list item. */
export const linesOf = (html: string | null) => (html ?? '').split(BLOCK_END).map(plainText).filter(Boolean).join('\n');

type Media = VersionContent['media'];
type NamedMedia = Pick<Media[number], 'type' | 'title' | 'url'> & { alt?: string | null };

/** Its title, what it shows, or the end of its address; of a stored object only the beginning of its name. */
export function nameOfMedia({ type, title, alt, url }: NamedMedia) {
  const kind = type === 'image' ? 'Picture' : type === 'video' ? 'Video' : 'Demo';
  const file = url.split(/[?#]/)[0]!.split('/').findLast(Boolean) ?? url;
  return `${kind} “${title || alt || file.replace(/^([\da-f]{8})-[\da-f-]{27}\.\w+$/, '$1')}”`;
}

const WORDS = ['title', 'description', 'alt', 'made', 'poster', 'url', 'type'] as const;
type Names = Partial<Record<(typeof WORDS)[number], string>>;
const NAMES: Names = { description: 'caption', alt: 'what it shows', made: 'who made it', url: 'address' };

const mediaChanges = (before: Media, after: Media): ListChange[] =>
  listChanges(before, after, {
    nameOf: nameOfMedia,
    aboutNew: (_, place) => `at place ${place}`,
    movedTo: (place) => `to place ${place}`,
    changesOf(old, item) {
      const changed = WORDS.filter((word) => old[word] !== item[word]);
      const texts = changed.map((word) => `${NAMES[word] ?? word} ${toWords(wordOf(old, word), wordOf(item, word))}`);
      const choice = item.is_cover ? 'chosen as the cover' : 'no longer chosen as the cover';
      return old.is_cover === item.is_cover ? texts : [...texts, choice];
    },
  });

const wordOf = (item: Media[number], word: (typeof WORDS)[number]) =>
  word === 'alt' && item.alt === '' ? 'decorative' : item[word];

interface Listed<Item> {
  nameOf: (item: Item) => string;
  about?: (item: Item) => string;
  /** For a new item: `about` without the field. @param place from 1 */
  aboutNew?: (item: Item, place: number) => string;
  movedTo: (place: number) => string;
  changesOf: (old: Item, item: Item) => string[];
}

/** In the order of the new list, after what was removed. */
function listChanges<Item extends { id: string }>(
  before: readonly Item[],
  after: readonly Item[],
  { nameOf, about = () => '', aboutNew = about, movedTo, changesOf }: Listed<Item>,
): ListChange[] {
  const oldItems = new Map(before.map((item) => [item.id, item]));
  const newIds = new Set(after.map(({ id }) => id));
  const oldOrder = [...oldItems.keys()].filter((id) => newIds.has(id));
  const newOrder = [...newIds].filter((id) => oldItems.has(id));
  const moved = movedItems(oldOrder, newOrder);
  return [
    ...before
      .filter(({ id }) => !newIds.has(id))
      .map((item): ListChange => ({ kind: 'removed', what: nameOf(item), how: about(item) })),
    ...after.flatMap((item, index): ListChange[] => {
      const old = oldItems.get(item.id);
      if (!old) return [{ kind: 'added', what: nameOf(item), how: aboutNew(item, index + 1) }];
      const changes = changesOf(old, item).map((how): ListChange => ({ kind: 'changed', what: nameOf(old), how }));
      if (!moved.has(item.id)) return changes;
      return [{ kind: 'moved', what: nameOf(item), how: movedTo(index + 1) }, ...changes];
    }),
  ];
}

const toWords = (before: string | null, after: string | null) =>
  `from ${before ? `“${before}”` : 'nothing'} to ${after ? `“${after}”` : 'nothing'}`;

/** The smallest set of moved items: all but the longest run that kept its order. */
export const movedItems = (before: readonly string[], after: readonly string[]): Set<string> =>
  new Set(diffArrays([...before], [...after]).flatMap(({ added, value }) => (added ? value : [])));

type Team = VersionContent['team'];

const nameOfMember = ({ name, role }: Pick<Team[number], 'name' | 'role'>) =>
  name && role ? `${name}, ${role}` : name || role || 'A member';
const shareOf = ({ contribution_percentage: share }: Team[number]) => (share === null ? 'no share' : `${share}%`);

const teamChanges = (before: Team, after: Team): ListChange[] =>
  listChanges(before, after, {
    nameOf: nameOfMember,
    about: shareOf,
    movedTo: (place) => `now number ${place}`,
    changesOf(old, member) {
      const changed = (['name', 'role'] as const).filter((key) => old[key] !== member[key]);
      const differences = changed.map((key) => `${key} ${toWords(old[key], member[key])}`);
      if (shareOf(old) !== shareOf(member)) differences.push(`from ${shareOf(old)} to ${shareOf(member)}`);
      if (differences.length === 0 && old.user_id !== member.user_id) differences.push('another account');
      return differences.length > 0 ? [differences.join(', ')] : [];
    },
  });

/** By part; a second one of the same name gets a number. */
function partsOf(stored: readonly StoredCredit[]): { id: string; line: string }[] {
  const parts = new Map<string, { id: string; line: string }>();
  for (const credit of creditsIn(stored)) {
    let id = credit.part;
    for (let number = 2; parts.has(id); number++) id = `${credit.part} ${number}`;
    parts.set(id, { id, line: creditLine(credit) });
  }
  return [...parts.values()];
}

const creditChanges = (before: readonly StoredCredit[], after: readonly StoredCredit[]): ListChange[] =>
  listChanges(partsOf(before), partsOf(after), {
    nameOf: ({ id }) => id,
    about: ({ line }) => line,
    movedTo: (place) => `now number ${place}`,
    changesOf: (old, { line }) => (old.line === line ? [] : [toWords(old.line, line)]),
  });
