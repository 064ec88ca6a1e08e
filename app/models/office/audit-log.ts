import type { PostgrestClient } from '@supabase/postgrest-js';
import { logActors, logPhrases, logVerbs } from '../../copy/admin/log.ts';
import { settingWords } from '../../copy/admin/settings.ts';
import { searchFrom } from '../data/page.ts';
import { one } from '../data/rows.ts';

/** A line of the log, with the names of what it is about as far as that is still known. */
export interface LogLine {
  id: string;
  at: string;
  action: string;
  outcome: 'done' | 'refused';
  reason: string | null;
  /** Network address it came from. */
  address: string | null;
  /** Ids or names, parted by spaces. */
  object: string | null;
  things: LogThing[];
  actor_kind: string;
  actor: { id: string; name: string | null } | null;
}

export interface LogThing {
  id: string;
  kind: 'project' | 'person' | 'media' | 'member' | 'texts' | 'letter' | 'role' | 'deleted';
  name: string | null;
  /** The project it belongs to. */
  of: string | null;
}

/** Where the next page begins; made by the service. */
export type LogCursor = { at: string; source: string; id: string };

export interface LogPage {
  rows: LogLine[];
  next: LogCursor | null;
  /** How far back a search came that has not reached the end; null when it did, or found enough. */
  searched: string | null;
}

/** What the log shows; the address holds the same. Days are those of the reader's clock. */
export interface LogQuestion {
  search: string;
  who: string;
  what: string;
  outcome: LogLine['outcome'] | null;
  /** `2026-11-21`, both included. */
  since: string;
  until: string;
  before: LogCursor | null;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const ON_A_PAGE = 25;

/** Reads the filters; what makes no sense counts as not given. */
export function logQuestionFrom(address: URLSearchParams): LogQuestion {
  const text = (name: string) => searchFrom(address, name);
  const day = (name: string) => (DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '');
  const outcome = address.get('outcome');
  return {
    search: text('search'),
    who: text('who'),
    what: /^[a-z_]+\.[a-z_]*$/.test(text('what')) ? text('what') : '',
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : null,
    since: day('from'),
    until: day('to'),
    before: cursorFrom(address.get('before')),
  };
}

/** The address of a question; what is usual is left out. */
export function logAddressOf({ search, who, what, outcome, since, until, before }: LogQuestion): string {
  const address = new URLSearchParams();
  const parts = { search, who, what, outcome, from: since, to: until };
  for (const [name, value] of Object.entries(parts)) if (value) address.set(name, value);
  if (before) address.set('before', `${before.at}~${before.source}~${before.id}`);
  return `?${address}`;
}

function cursorFrom(text: string | null): LogCursor | null {
  const [, at, source, id] =
    /^([^~]+)~(?:(house)~(\d{1,19})|(identity)~([\da-f-]{36}))$/
      .exec(text ?? '')
      ?.filter((part) => part !== undefined) ?? [];
  return at && source && id && !Number.isNaN(Date.parse(at)) ? { at, source, id } : null;
}

/** One page of the log, newest first. @throws ApiError */
export async function readLog(data: PostgrestClient, question: LogQuestion, take = ON_A_PAGE): Promise<LogPage> {
  const { search, who, what, outcome, since, until, before } = question;
  return one(
    data.rpc('read_log', {
      words: search || null,
      who: who || null,
      what: what || null,
      outcome,
      since: since ? startOf(since, 0) : null,
      until: until ? startOf(until, 1) : null,
      before,
      take,
    }),
  );
}

/** The first moment of a day on the reader's clock, `later` days on. */
function startOf(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date! + later).toISOString();
}

/** Who it was, as people say it. */
export const actorOf = ({ actor, actor_kind: kind }: LogLine): string =>
  actor?.name ?? logActors[kind] ?? logActors['user']!;

/** What happened, in a sentence without its end: `published “Chai in space”`, `tried to sign in and was refused`. */
export function deedOf(line: LogLine): string {
  const phrase = logPhrases[line.action] ?? otherPhrase(line.action);
  const about = aboutOf(line);
  if (line.outcome === 'done') return filled(phrase[0], about);
  return `tried to ${filled(phrase[1], about)} and was refused`;
}

/** Who did what, in one sentence. */
export const sentenceOf = (line: LogLine): string => `${actorOf(line)} ${deedOf(line)}`;

const filled = (phrase: string, about: string) =>
  phrase.includes('{}') ? phrase.replace('{}', () => about || 'something that is gone') : phrase;

/** Tables and acts that have no sentence of their own yet. */
function otherPhrase(action: string): readonly [string, string] {
  const [table = '', verb = ''] = action.split('.');
  const subject = table.replaceAll('_', ' ');
  const words = logVerbs[verb];
  if (words) return [`${words[0]} ${subject}: {}`, `${words[1]} ${subject}`];
  const act = action.replaceAll(/[._]/g, ' ');
  return [`did this: ${act}`, `do this: ${act}`];
}

function aboutOf({ object, things, reason, action }: LogLine): string {
  const names = things.map(nameOf);
  const others = action.startsWith('site_') || action === 'admins_need_second_factor' ? settingsIn(object) : [];
  const all = [...new Set([...names, ...others])];
  const total = Number(/^(\d+) (?:rows|projects)$/.exec(reason ?? '')?.[1] ?? all.length);
  if (all.length === 0) return total > 1 ? `${total} items that are gone` : '';
  const more = total - things.length - others.length;
  return more > 0 ? `${all.join(', ')} and ${more} more` : all.join(', ');
}

function nameOf({ kind, name, of }: LogThing): string {
  if (kind === 'person' || kind === 'letter') return name ?? 'somebody without a name';
  // Media without a title go by their address, which tells nobody anything.
  if (name && /^https?:\/\//.test(name)) return of ? `an item without a title in “${of}”` : 'an item without a title';
  const quoted = `“${name ?? 'without a title'}”`;
  return of ? `${quoted} in “${of}”` : quoted;
}

const settingsIn = (object: string | null): string[] =>
  (object ?? '')
    .split(' ')
    .filter(Boolean)
    .map((name) => (Object.hasOwn(settingWords, name) ? settingWords[name as keyof typeof settingWords].label : name));

/** A line as a spreadsheet's row; `log.columns` are its headings. */
export const cellsOf = (line: LogLine): string[] => [
  line.at,
  actorOf(line),
  deedOf(line),
  line.outcome,
  line.reason ?? '',
  line.address ?? '',
  line.action,
  line.object ?? '',
];

const MOST_LINES = 20_000;
const IN_A_BATCH = 500;

/**
 * All lines that match, the newest twenty thousand at most, a batch at a time.
 * @throws ApiError; whatever `signal` says when it is over
 */
export async function* logLines(
  data: PostgrestClient,
  question: LogQuestion,
  signal: AbortSignal,
): AsyncGenerator<LogLine[], { complete: boolean }> {
  let before: LogCursor | null = null;
  for (let count = 0; count < MOST_LINES; ) {
    signal.throwIfAborted();
    const page: LogPage = await readLog(data, { ...question, before }, Math.min(IN_A_BATCH, MOST_LINES - count));
    count += page.rows.length;
    yield page.rows;
    // A search that does not get on would go on for ever.
    if (!page.next || JSON.stringify(page.next) === JSON.stringify(before)) return { complete: true };
    before = page.next;
  }
  return { complete: false };
}
