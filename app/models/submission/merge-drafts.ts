import { type CreditRow, saysNothing } from '../credits/rows.ts';
import { newId, newSecret } from '../data/ids.ts';
import type { Draft } from './draft.ts';
import { isEmptyText, type Located, type MediaItem, type Submission, unsaid } from './submission.ts';

/** How copies that several tabs kept become one again, without losing a word of any. */

/** What becomes of the copies of other tabs. */
export interface Gathered {
  draft: Draft;
  /** Copies that are in it now. */
  taken: string[];
  /** Copies that say something else, and stay as they are. */
  aside: string[];
}

/**
 * Takes the copies of tabs that are gone into a form.
 * @param mine what the form holds
 * @param others newest first
 * @param first what a form of this kind begins with
 */
export function gather(mine: Draft, others: [tab: string, draft: Draft][], first: Submission): Gathered {
  const own = others.filter(([, { secret }]) => secret === mine.secret);
  const fresh = others.filter(([, { secret, aside }]) => secret !== mine.secret && !aside);
  const known = others.filter(([, { secret, aside }]) => secret !== mine.secret && aside);
  const taken: string[] = [];
  const aside: string[] = [];
  // Another tab went on with this one, and it is sent or thrown away by now: what was not typed since is over as well.
  let draft = mine.parted && own.length === 0 ? onItsOwn(mine, first) : mine;
  for (const [tab, other] of [...own, ...fresh, ...known]) {
    const joined = isSame(other.submission, first) ? draft : joinedDraft(draft, other, first);
    if (joined) taken.push(tab);
    else aside.push(tab);
    draft = joined ?? draft;
  }
  return { draft: { ...draft, parted: null }, taken, aside };
}

function onItsOwn(mine: Draft, first: Submission): Draft {
  const submission = isSame(mine.submission, mine.parted ?? first) ? first : mine.submission;
  return { ...mine, submission, secret: newSecret(), parted: null, sending: false, wanted: false };
}

/** Null when the two say different things, or one of them may be with the server already. */
function joinedDraft(mine: Draft, other: Draft, first: Submission): Draft | null {
  const base = mine.secret === other.secret ? (mine.parted ?? other.parted ?? first) : first;
  if (isSame(mine.submission, base) && !mine.sending && !mine.wanted) return { ...other, aside: false };
  if (mine.secret !== other.secret && (other.sending || other.wanted || other.aside)) return null;
  const submission = mergedDraft(base, mine.submission, other.submission);
  return submission && { ...mine, submission, account: mine.account ?? other.account };
}

/** Both changes of what two hands began with; null when they contradict each other. */
export function mergedDraft(base: Submission, mine: Submission, other: Submission): Submission | null {
  const media = mergedMedia(base.media, mine.media, other.media);
  const [before, here, there] = [base, mine, other].map(({ media: _, ...rest }) => rest) as [Rest, Rest, Rest];
  // Who makes a list of credits anew in two tabs names different parts; only a list of both is changed in two ways.
  const credits = saysNothing(before.credits) && bothOf(here.credits, there.credits);
  const rest = credits
    ? mergedParts({ ...before, credits }, { ...here, credits }, { ...there, credits })
    : mergedParts(before, here, there);
  return media && rest ? ({ ...rest, media } as Submission) : null;
}

type Rest = Omit<Submission, 'media'>;

const bothOf = (here: CreditRow[], there: CreditRow[]) => [
  ...here,
  ...there.filter((row) => !saysNothing([row]) && !here.some((known) => isEqual(known, row))),
];

/** Part by part: what one hand changed; null when both changed one in two ways. */
function mergedParts<Parts extends object>(base: Parts, mine: Parts, other: Parts): Parts | null {
  const result = { ...mine };
  for (const key of Object.keys({ ...mine, ...other }) as (keyof Parts)[]) {
    const [before, here, there] = [base[key], mine[key], other[key]];
    if (key === 'tags')
      Object.assign(result, { tags: [...new Set([here, there].flat())].filter(keptBy(before, here, there)) });
    else if (isEqual(here, before)) result[key] = there;
    else if (!isEqual(there, before) && !isEqual(there, here)) return null;
  }
  return result;
}

/** A tag stays unless one of the two hands took it out. */
const keptBy =
  (...[before, here, there]: unknown[]) =>
  (tag: unknown) =>
    !(before as unknown[]).includes(tag) || [here, there].every((tags) => (tags as unknown[]).includes(tag));

function mergedMedia(base: MediaItem[], mine: MediaItem[], other: MediaItem[]): MediaItem[] | null {
  // Whoever changed the order leads; both did, then this form.
  const [lead, follow] = orderOf(mine) === orderOf(base) ? [other, mine] : [mine, other];
  const result: MediaItem[] = [];
  for (const { id } of [...lead, ...follow.filter(({ id }) => !find(lead, id))]) {
    const [before, here, there] = [find(base, id), find(mine, id), find(other, id)];
    if (here && there) {
      const told = mergedParts(toldOf(before ?? there), toldOf(here), toldOf(there));
      if (!told) return null;
      const posters = [here.poster, there.poster].filter((poster) => posterOf(poster) === told.poster);
      const poster = posters.find((one) => one?.url) ?? posters[0] ?? null;
      result.push({ ...(here.url ? here : there), ...told, poster });
      continue;
    }
    const only = (here ?? there)!;
    // One hand took it out, and the other did not touch it.
    if (!before || !isEqual(toldOf(only), toldOf(before))) result.push(only);
  }
  return result;
}

const find = (media: MediaItem[], wanted: string) => media.find(({ id }) => id === wanted);
const orderOf = (media: MediaItem[]) => media.map(({ id }) => id).join();

/** What people say about an item, without how far its file has come. */
function toldOf({ url, isUploading: _, file, poster, ...told }: MediaItem) {
  return { ...told, ...(!file && { url }), poster: posterOf(poster) };
}

const posterOf = (poster: Located | null) => poster && (poster.file ? poster.id : poster.url);

/** Whether two say the same to people. */
export const isSame = (one: Submission, two: Submission): boolean => isEqual(essenceOf(one), essenceOf(two));

const essenceOf = ({ media, ...rest }: Submission) => ({
  ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)])),
  credits: saysNothing(rest.credits) ? [] : rest.credits,
  media: media.map(toldOf),
});

const isEqual = (one: unknown, two: unknown) => JSON.stringify(plain(one)) === JSON.stringify(plain(two));

/** An editor's empty paragraph says as little as an empty field. */
const plain = (value: unknown) => (typeof value === 'string' && isEmptyText(value) ? '' : value);

/** Where a picture of the server has gone unused for a day it is swept, so an old upload has to be made again. */
const UPLOAD_LIFETIME = 20 * 3600_000;

/** The draft's items as they can be used now: what was under way or has expired must be uploaded again. */
export function revived(submission: Submission, files: ReadonlyMap<string, File>): Submission {
  const media = submission.media.flatMap((kept) => {
    const item = located({ ...unsaid, ...kept }, files);
    return item ? [{ ...item, poster: item.poster && located(item.poster, files) }] : [];
  });
  return { ...submission, media };
}

function located<Item extends Located>(item: Item, files: ReadonlyMap<string, File>): Item | null {
  if (!item.file) return item;
  const { uploadedAt, path } = item.file;
  if (item.url && uploadedAt !== null && Date.now() - uploadedAt < UPLOAD_LIFETIME) return item;
  // The bytes are gone from the device: nothing is left to show or send.
  if (!files.has(item.id)) return null;
  const fresh = item.url ? path.replace(/[^/]+(?=\.\w+$)/, newId()) : path;
  return { ...item, url: '', isUploading: true, file: { ...item.file, path: fresh, uploadedAt: null, failure: null } };
}
