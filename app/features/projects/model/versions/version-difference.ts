import { creditLine, creditsIn, type StoredCredit } from '#features/credits/model/credits.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { dollarsAndCents } from '#lib/data/money.ts';
import { type Piece, wordDiff } from '#lib/data/word-diff.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { fieldsOfKind } from '../fields.ts';
import { nameOfField, VERSION_KEYS, type VersionContent, type VersionKey } from './versions.ts';

export interface ListChange {
  kind: 'added' | 'removed' | 'moved' | 'changed';
  what: string;
  how: string;
}

export type Difference = { key: VersionKey; name: string } & (
  | { shape: 'text'; pieces: Piece[] }
  /** Only formatting, links, headings or pictures inside the text differ. */
  | { shape: 'form' }
  | { shape: 'value'; before: string; after: string }
  | { shape: 'list'; changes: ListChange[] }
);

const HTML = fieldsOfKind('html');
const LINES = fieldsOfKind('line');

export const differences = (before: VersionContent, after: VersionContent): Difference[] =>
  VERSION_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).map((key) => ({
    key,
    name: nameOfField(key),
    ...differenceOf(key, before, after),
  }));

type Shape<T> = T extends unknown ? Omit<T, 'key' | 'name'> : never;

function differenceOf(key: VersionKey, before: VersionContent, after: VersionContent): Shape<Difference> {
  if (key === 'media') return { shape: 'list', changes: mediaChanges(before.media, after.media) };
  if (key === 'credits') return { shape: 'list', changes: creditChanges(before.credits, after.credits) };
  if (key === 'team') return { shape: 'list', changes: teamChanges(before.team, after.team) };
  if (isOneOf(HTML, key)) {
    const pieces = wordDiff(linesOf(before[key]), linesOf(after[key]));
    return pieces.every(({ kind }) => kind === 'same') ? { shape: 'form' } : { shape: 'text', pieces };
  }
  if (isOneOf(LINES, key) && before[key] && after[key])
    return { shape: 'text', pieces: wordDiff(before[key], after[key]) };
  return { shape: 'value', before: valueIn(key, before), after: valueIn(key, after) };
}

const isOneOf = <Name extends VersionKey>(names: readonly Name[], key: VersionKey): key is Name =>
  names.some((name) => name === key);

function valueIn(key: VersionKey, content: VersionContent): string {
  const value = content[key];
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'Nothing';
  if (key === 'budget') return dollarsAndCents(content.budget!);
  if (key === 'category') return categoryLabel(content.category) ?? String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

const BLOCK_END = /<\/(?:p|h[1-6]|li|blockquote|pre|div|tr)\s*>|<br\s*\/?>/gi;

/** Plain text, one line per paragraph, heading or list item. */
export const linesOf = (html: string | null): string =>
  (html ?? '').split(BLOCK_END).map(plainText).filter(Boolean).join('\n');

type Media = VersionContent['media'];

/**
 * A readable name: its title, what it shows, or the end of its address; of a stored object only the beginning of its
 * name.
 */
export function nameOfMedia({
  type,
  title,
  alt,
  url,
}: Pick<Media[number], 'type' | 'title' | 'url'> & { alt?: string | null }) {
  const kind = type === 'image' ? 'Picture' : type === 'video' ? 'Video' : 'Demo';
  const file = url.split(/[?#]/)[0]!.split('/').findLast(Boolean) ?? url;
  return `${kind} “${title || alt || file.replace(/^([\da-f]{8})-[\da-f-]{27}\.\w+$/, '$1')}”`;
}

const WORDS = ['title', 'description', 'alt', 'made', 'poster', 'url', 'type'] as const;
const NAMES: Record<(typeof WORDS)[number], string> = {
  title: 'title',
  description: 'caption',
  alt: 'what it shows',
  made: 'who made it',
  poster: 'poster',
  url: 'address',
  type: 'type',
};

function mediaChanges(before: Media, after: Media): ListChange[] {
  const was = new Map(before.map((item) => [item.id, item]));
  const is = new Set(after.map(({ id }) => id));
  const stayed = after.filter(({ id }) => was.has(id)).map(({ id }) => id);
  const moved = movedAmong(
    before.map(({ id }) => id).filter((id) => is.has(id)),
    stayed,
  );
  return [
    ...before.filter(({ id }) => !is.has(id)).map((item) => change('removed', nameOfMedia(item))),
    ...after.flatMap((item, place) => {
      const old = was.get(item.id);
      if (!old) return [change('added', nameOfMedia(item), `at place ${place + 1}`)];
      const changes: ListChange[] = [];
      if (moved.has(item.id)) changes.push(change('moved', nameOfMedia(item), `to place ${place + 1}`));
      for (const word of WORDS)
        if (old[word] !== item[word])
          changes.push(
            change('changed', nameOfMedia(old), `${NAMES[word]} ${toWords(wordOf(old, word), wordOf(item, word))}`),
          );
      if (old.is_cover !== item.is_cover)
        changes.push(
          change('changed', nameOfMedia(item), item.is_cover ? 'chosen as the cover' : 'no longer chosen as the cover'),
        );
      return changes;
    }),
  ];
}

const wordOf = (item: Media[number], word: (typeof WORDS)[number]) =>
  word === 'alt' && item.alt === '' ? 'decorative' : item[word];

const change = (kind: ListChange['kind'], what: string, how = ''): ListChange => ({ kind, what, how });
const toWords = (before: string | null, after: string | null) =>
  `from ${before ? `“${before}”` : 'nothing'} to ${after ? `“${after}”` : 'nothing'}`;

/** The smallest set of moved items: all but the longest run that kept its order. */
export function movedAmong(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, place) => [id, place]));
  const runs = after.map(() => ({ length: 1, from: -1 }));
  for (const [here, run] of runs.entries()) {
    for (let there = 0; there < here; there++) {
      if (places.get(after[there]!)! < places.get(after[here]!)! && runs[there]!.length >= run.length) {
        run.length = runs[there]!.length + 1;
        run.from = there;
      }
    }
  }
  const moved = new Set(after);
  let at = runs.reduce((best, { length }, here) => (best < 0 || length > runs[best]!.length ? here : best), -1);
  while (at >= 0) {
    moved.delete(after[at]!);
    at = runs[at]!.from;
  }
  return moved;
}

type Team = VersionContent['team'];

const nameOfMember = ({ name, role }: Pick<Team[number], 'name' | 'role'>) =>
  name && role ? `${name}, ${role}` : name || role || 'A member';
const shareOf = (share: number | null) => (share === null ? 'no share' : `${share}%`);

function teamChanges(before: Team, after: Team): ListChange[] {
  const was = new Map(before.map((member) => [member.id, member]));
  const is = new Set(after.map(({ id }) => id));
  return [
    ...before
      .filter(({ id }) => !is.has(id))
      .map((member) => change('removed', nameOfMember(member), shareOf(member.contribution_percentage))),
    ...after.flatMap((member) => {
      const old = was.get(member.id);
      if (!old) return [change('added', nameOfMember(member), shareOf(member.contribution_percentage))];
      const how: string[] = [];
      if (old.name !== member.name) how.push(`name ${toWords(old.name, member.name)}`);
      if (old.role !== member.role) how.push(`role ${toWords(old.role, member.role)}`);
      if (old.contribution_percentage !== member.contribution_percentage) {
        how.push(`from ${shareOf(old.contribution_percentage)} to ${shareOf(member.contribution_percentage)}`);
      }
      if (how.length === 0 && old.user_id !== member.user_id) how.push('another account');
      return how.length > 0 ? [change('changed', nameOfMember(member), how.join(', '))] : [];
    }),
  ];
}

function partsOf(stored: readonly StoredCredit[]): Map<string, { part: string; line: string }> {
  const parts = new Map<string, { part: string; line: string }>();
  for (const credit of creditsIn(stored)) {
    let name = credit.part;
    for (let again = 2; parts.has(name); again++) name = `${credit.part} ${again}`;
    parts.set(name, { part: name, line: creditLine(credit) });
  }
  return parts;
}

function creditChanges(before: readonly StoredCredit[], after: readonly StoredCredit[]): ListChange[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const stayed = [...is.keys()].filter((name) => was.has(name));
  const moved = movedAmong(
    [...was.keys()].filter((name) => is.has(name)),
    stayed,
  );
  return [
    ...[...was.values()].filter(({ part }) => !is.has(part)).map(({ part, line }) => change('removed', part, line)),
    ...[...is.values()].flatMap(({ part, line }, place) => {
      const old = was.get(part);
      if (!old) return [change('added', part, line)];
      const changes = old.line === line ? [] : [change('changed', part, toWords(old.line, line))];
      return moved.has(part) ? [...changes, change('moved', part, `now number ${place + 1}`)] : changes;
    }),
  ];
}
