import { type CreditRow, saysNothing } from '#features/credits/model/rows.ts';
import type { Draft } from '#features/drafts/model/draft.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import { isEmptyText, type Located, type MediaItem, type Submission, unsaid } from './submission.ts';

export interface Gathered {
  draft: Draft;
  taken: string[];
  aside: string[];
}

/** Merges the copies of closed tabs. @param others newest first @param first the form's initial state */
export function gather(mine: Draft, others: [tab: string, draft: Draft][], first: Submission): Gathered {
  const own = others.filter(([, { secret }]) => secret === mine.secret);
  const fresh = others.filter(([, { secret, aside }]) => secret !== mine.secret && !aside);
  const known = others.filter(([, { secret, aside }]) => secret !== mine.secret && aside);
  const taken: string[] = [];
  const aside: string[] = [];
  // Another tab continued this draft and has sent or discarded it: only input since then is kept.
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

/** Null when the two conflict, or one of them may already be on the server. */
function joinedDraft(mine: Draft, other: Draft, first: Submission): Draft | null {
  const base = mine.secret === other.secret ? (mine.parted ?? other.parted ?? first) : first;
  if (isSame(mine.submission, base) && !mine.sending && !mine.wanted) return { ...other, aside: false };
  if (mine.secret !== other.secret && (other.sending || other.wanted || other.aside)) return null;
  const submission = mergedDraft(base, mine.submission, other.submission);
  return submission && { ...mine, submission, account: mine.account ?? other.account };
}

/** Three-way merge; null on conflict. */
export function mergedDraft(base: Submission, mine: Submission, other: Submission): Submission | null {
  const media = mergedMedia(base.media, mine.media, other.media);
  const [before, here, there] = [base, mine, other].map(({ media: _, ...rest }) => rest) as [Rest, Rest, Rest];
  // Credits created separately in two tabs name different parts; only a common list can conflict.
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

/** Merges field by field; null when both sides changed one differently. */
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

/** A tag stays unless one of the sides removed it. */
const keptBy =
  (...[before, here, there]: unknown[]) =>
  (tag: unknown) =>
    !(before as unknown[]).includes(tag) || [here, there].every((tags) => (tags as unknown[]).includes(tag));

function mergedMedia(base: MediaItem[], mine: MediaItem[], other: MediaItem[]): MediaItem[] | null {
  // The side that changed the order leads; if both did, this form.
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
    if (!before || !isEqual(toldOf(only), toldOf(before))) result.push(only);
  }
  return result;
}

const find = (media: MediaItem[], wanted: string) => media.find(({ id }) => id === wanted);
const orderOf = (media: MediaItem[]) => media.map(({ id }) => id).join();

/** An item's content, without its upload state. */
function toldOf({ url, isUploading: _, file, poster, ...told }: MediaItem) {
  return { ...told, ...(!file && { url }), poster: posterOf(poster) };
}

const posterOf = (poster: Located | null) => poster && (poster.file ? poster.id : poster.url);

export const isSame = (one: Submission, two: Submission): boolean => isEqual(essenceOf(one), essenceOf(two));

const essenceOf = ({ media, ...rest }: Submission) => ({
  ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)])),
  credits: saysNothing(rest.credits) ? [] : rest.credits,
  media: media.map(toldOf),
});

const isEqual = (one: unknown, two: unknown) => JSON.stringify(plain(one)) === JSON.stringify(plain(two));

const plain = (value: unknown) => (typeof value === 'string' && isEmptyText(value) ? '' : value);

/** The server deletes uploads unused for a day, so older ones are uploaded again; in ms. */
const UPLOAD_LIFETIME = 20 * 3600_000;

/** The draft's items after a restart: interrupted and expired uploads are queued again. */
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
