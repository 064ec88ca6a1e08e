import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import { inbox } from '#features/messages/words/admin.ts';
import { draftsOfPage, pageDifferences } from '#features/page-editor/model/content.ts';
import { pageEditor } from '#features/page-editor/words.ts';
import type { PageKind } from '#features/pages/model/page-schemas.ts';
import { type Difference, differences } from '#features/projects/model/versions/version-difference.ts';
import type { VersionContent } from '#features/projects/model/versions/versions.ts';
import { changedThing, type SettingChange, shortText, valueInWords } from '#features/settings/model/history.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { isSetting, settings } from '#features/settings/model/table.ts';
import type { WebhookEvent } from '#features/settings/model/webhooks.ts';
import { webhookWords } from '#features/settings/words.ts';
import { choiceParam, listParams, type Param, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { readOne } from '#lib/data/rows.ts';
import type { Values } from '#lib/fields/field.ts';
import { log, logActors, logPhrases, logSentences, logVerbs, storedColumns } from '../words.ts';

export interface LogLine {
  id: string;
  at: string;
  action: string;
  outcome: 'done' | 'refused';
  reason: string | null;
  address: string | null;
  object: string | null;
  things: LogThing[];
  has_changes: boolean;
  actor_kind: string;
  actor: { id: string; name: string | null } | null;
}

export interface LogThing {
  id: string;
  kind: 'project' | 'person' | 'media' | 'member' | 'texts' | 'message' | 'role' | 'page' | 'deleted';
  name: string | null;
  of: string | null;
}

export type LogCursor = { at: string; source: string; id: string };

/** `searched`: where an incomplete search stopped; null when it reached the end or filled the page. */
export type LogPage = { rows: LogLine[]; next: LogCursor | null; searched: string | null };

const PAGE_SIZE = 25;

/** `2026-11-21`, in the reader's time zone. */
const dayParam: Param<string> = {
  read: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''),
  write: (day) => day,
};

export const logParams = listParams({
  search: textParam,
  who: textParam,
  what: { read: (text) => (/^[a-z_]+\.[a-z_]*$/.test(text) ? text : ''), write: (what: string) => what },
  outcome: choiceParam<LogLine['outcome']>(['done', 'refused']),
  since: { ...dayParam, name: 'from' },
  until: { ...dayParam, name: 'to' },
  before: {
    read: cursorFrom,
    write: (before: LogCursor | null) => (before ? `${before.at}~${before.source}~${before.id}` : ''),
    kind: 'place',
  },
});
export type LogQuestion = QuestionOf<typeof logParams>;

function cursorFrom(text: string): LogCursor | null {
  const [, at, source, id] =
    /^([^~]+)~(?:(audit)~(\d{1,19})|(identity)~([\da-f-]{36}))$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return at && source && id && !Number.isNaN(Date.parse(at)) ? { at, source, id } : null;
}

export async function readLog(data: PostgrestClient, question: LogQuestion, take = PAGE_SIZE): Promise<LogPage> {
  const { search, who, what, outcome, since, until, before } = question;
  const from = since ? startOf(since, 0) : null;
  const to = until ? startOf(until, 1) : null;
  const filters = { words: search || null, who: who || null, what: what || null, outcome, since: from, until: to };
  return readOne(data.rpc('read_log', { ...filters, before, take }));
}

function startOf(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date! + later).toISOString();
}

export const actorOf = ({ actor, actor_kind: kind }: LogLine) => actor?.name ?? logActors[kind] ?? logActors['user']!;

export const isWholeSentence = ({ action }: LogLine): boolean => Object.hasOwn(logSentences, action);

export function describeAction(line: LogLine): string {
  const { action } = line;
  if (isWholeSentence(line)) return fillPhrase(logSentences[action]!, line);
  const [did, triedTo] = logPhrases[action] ?? otherPhrase(action);
  return line.outcome === 'done' ? fillPhrase(did, line) : `tried to ${fillPhrase(triedTo, line)} and was refused`;
}

export const sentenceOf = (line: LogLine): string =>
  isWholeSentence(line) ? describeAction(line) : `${actorOf(line)} ${describeAction(line)}`;

function fillPhrase(phrase: string, line: LogLine): string {
  const objectText = aboutOf(line, ({ kind }) => !phrase.includes('{role}') || kind !== 'role');
  return phrase
    .replace(/\[(.*)\]/, (_, part: string) => (objectText ? part : ''))
    .replace('{role}', () => aboutOf(line, ({ kind }) => kind === 'role') || 'that no longer exists')
    .replace('{}', () => objectText || describeDeleted(line.action));
}

function otherPhrase(action: string): readonly [string, string] {
  const [table = '', verb = ''] = action.split('.');
  const subject = table.replaceAll('_', ' ');
  const words = logVerbs[verb];
  if (words) return [`${words[0]} ${subject}[: {}]`, `${words[1]} ${subject}`];
  const actionText = action.replaceAll(/[._]/g, ' ');
  return [`did this: ${actionText}`, `do this: ${actionText}`];
}

function describeDeleted(action: string): string {
  if (/^(user|user_roles|admin_role|identity)\./.test(action)) return 'an account that no longer exists';
  if (/^(projects|reviews|drafts|draft_links|project_budgets|case_study_metadata)\./.test(action))
    return 'a project that no longer exists';
  return 'something that no longer exists';
}

function aboutOf({ object, things, reason, action }: LogLine, isMeant: (thing: LogThing) => boolean): string {
  const named = things.filter(isMeant);
  const others = action.startsWith('site_') || action === 'admins_need_second_factor' ? settingsIn(object) : [];
  const all = [...new Set([...named.map(nameOf), ...others])];
  const total = Number(/^(\d+) (?:rows|projects)$/.exec(reason ?? '')?.[1] ?? all.length);
  if (all.length === 0) return total > 1 ? `${total} items that no longer exist` : '';
  const more = total - named.length - others.length;
  return more > 0 ? `${all.join(', ')} and ${more} more` : all.join(', ');
}

function nameOf({ kind, name, of }: LogThing): string {
  if (kind === 'person') return name ?? 'an account without a name';
  if (kind === 'message') return name ?? 'a sender without a name';
  if (name && /^https?:\/\//.test(name)) return of ? `an untitled item in “${of}”` : 'an untitled item';
  const quoted = `“${name ?? 'untitled'}”`;
  return of ? `${quoted} in “${of}”` : quoted;
}

const labelOf = (name: string) => (isSetting(name) ? settings[name].label : name);
const settingsIn = (object: string | null): string[] => (object ?? '').split(' ').filter(Boolean).map(labelOf);

const historyPath = (setting: string): string => `${href('/admin/settings')}?history=${setting}#history`;

export function linkOf({ things, action, object, outcome }: LogLine): { to: string; text: string } | null {
  if (/^site_(settings|pages)\./.test(action))
    return outcome === 'done' && object && !object.includes(' ')
      ? { to: historyPath(object), text: log.historyOf(settingsIn(object).join()) }
      : null;
  const linked = things.filter(({ kind }) => ['project', 'person', 'page'].includes(kind));
  if (linked.length !== 1 || linked.length < things.filter(({ kind }) => kind !== 'role').length) return null;
  const { id, kind, name } = linked[0]!;
  if (kind === 'project') return { to: href('/admin/projects/:id', { id }), text: `Open “${name ?? 'untitled'}”` };
  if (kind === 'page') return { to: href('/admin/pages/:id', { id }), text: 'Open the page' };
  return name ? { to: `${href('/admin/users')}?search=${encodeURIComponent(name)}`, text: 'Open the user' } : null;
}

export function cellsOf(line: LogLine): string[] {
  const { at, outcome, reason, address, action, object } = line;
  return [at, actorOf(line), describeAction(line), outcome, reason ?? '', address ?? '', action, object ?? ''];
}

const MAX_EXPORTED_LINES = 20_000;
const BATCH_SIZE = 500;

/** Matching lines, at most the newest 20,000. @param onCount after each batch; it may throw to stop. @throws ApiError */
export async function readLogLines(data: PostgrestClient, question: LogQuestion, onCount: (count: number) => void) {
  const lines: LogLine[] = [];
  let before: LogCursor | null = null;
  while (lines.length < MAX_EXPORTED_LINES) {
    const take = Math.min(BATCH_SIZE, MAX_EXPORTED_LINES - lines.length);
    const page: LogPage = await readLog(data, { ...question, before }, take);
    lines.push(...page.rows);
    onCount(lines.length);
    // Stops a search that makes no progress.
    if (!page.next || JSON.stringify(page.next) === JSON.stringify(before)) return { lines, complete: true };
    before = page.next;
  }
  return { lines, complete: false };
}

type PageState = { title: string | null; content: Values };

export type StoredChange =
  | { of: 'project'; id: string; name: string; number: number; before: VersionContent | null; after: VersionContent }
  | { of: 'page'; id: string; kind: PageKind; number: number; before: PageState | null; after: PageState }
  | ({ of: 'setting' } & Pick<SettingChange, 'subject' | 'name' | 'before' | 'after'>)
  | { of: 'columns'; columns: Record<string, [before: unknown, after: unknown]> };

export type ChangeOfLine = { key: string; link: { to: string; text: string } | null; found: Difference[] };

export const readLogChanges = (data: PostgrestClient, line: string): Promise<StoredChange[]> =>
  readOne<StoredChange[]>(data.rpc('read_log_changes', { p_line: line.split(':')[1] }));

export function changeOf(change: StoredChange, defined: readonly ProjectFact[]): ChangeOfLine {
  switch (change.of) {
    case 'project': {
      const { id, number, name, before, after } = change;
      const to = href('/admin/projects/:id/versions/:number', { id, number: String(number) });
      const found = differences(before ?? emptied(after), after, defined).map(shortened);
      return { key: id, link: { to, text: log.version(number, name) }, found };
    }
    case 'page': {
      const { id, kind, number, before, after } = change;
      const draftOf = (state: PageState | null) => draftsOfPage(kind, state?.content ?? null, state?.title ?? null);
      const to = `${href('/admin/pages/:id', { id })}?version=${number}`;
      const found = pageDifferences(kind, draftOf(before), draftOf(after)).map(shortened);
      const text = log.version(number, pageEditor.nameOf({ kind, title: after.title }));
      return { key: id, link: { to, text }, found };
    }
    case 'setting': {
      const name = changedThing(change);
      const [before, after] = [change.before, change.after].map((value) => valueInWords(change, value));
      const found = valueDifference(change.name, name, before!, after!);
      return { key: change.name, link: { to: historyPath(change.name), text: log.historyOf(name) }, found: [found] };
    }
    case 'columns': {
      const found = Object.entries(change.columns).map(([column, [before, after]]) =>
        valueDifference(column, storedColumns[column] ?? column, columnText(column, before), columnText(column, after)),
      );
      return { key: 'columns', link: null, found };
    }
  }
}

function valueDifference(key: string, name: string, before: string, after: string): Difference {
  return { key, name, before, after, shape: 'value' };
}

const emptied = (content: VersionContent): VersionContent =>
  Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, Array.isArray(value) ? [] : null]),
  ) as unknown as VersionContent;

function shortened(difference: Difference): Difference {
  if (difference.shape !== 'text') return difference;
  const pieces = difference.pieces.map(({ kind, text }) => ({ kind, text: kind === 'same' ? text : shortText(text) }));
  return { ...difference, pieces };
}

function columnText(column: string, value: unknown): string {
  if (column === 'handled') return value ? inbox.handled : inbox.fresh;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((event) => webhookWords.events[event as WebhookEvent] ?? event).join(', ');
  return value === null || value === '' ? 'Nothing' : String(value);
}
