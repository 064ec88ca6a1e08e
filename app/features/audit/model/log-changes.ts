import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import { inbox } from '#features/messages/words/admin.ts';
import { draftsOfPage, pageDifferences } from '#features/page-editor/model/content.ts';
import { pageEditor } from '#features/page-editor/words.ts';
import type { PageKind } from '#features/pages/model/page-schemas.ts';
import { type Difference, differences } from '#features/projects/model/versions/version-difference.ts';
import type { VersionContent } from '#features/projects/model/versions/versions.ts';
import { changedThing, type SettingChange, valueInWords } from '#features/settings/model/history.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import type { WebhookEvent } from '#features/settings/model/webhooks.ts';
import { webhookWords } from '#features/settings/words.ts';
import { readOne } from '#lib/data/rows.ts';
import type { Values } from '#lib/fields/field.ts';
import { storedColumns, log as words } from '../words.ts';
import { historyPath } from './audit-log.ts';

type PageState = { title: string | null; content: Values };

export type StoredChange =
  | { of: 'project'; id: string; name: string; number: number; before: VersionContent | null; after: VersionContent }
  | { of: 'page'; id: string; kind: PageKind; number: number; before: PageState | null; after: PageState }
  | ({ of: 'setting' } & Pick<SettingChange, 'subject' | 'name' | 'before' | 'after'>)
  | { of: 'columns'; columns: Record<string, [before: unknown, after: unknown]> };

export interface ChangeOfLine {
  key: string;
  link: { to: string; text: string } | null;
  found: Difference[];
}

export const readLogChanges = (data: PostgrestClient, line: string): Promise<StoredChange[]> =>
  readOne<StoredChange[]>(data.rpc('read_log_changes', { p_line: line.split(':')[1] }));

export function changeOf(change: StoredChange, defined: readonly ProjectFact[]): ChangeOfLine {
  switch (change.of) {
    case 'project': {
      const { id, number, name, before, after } = change;
      const to = href('/admin/projects/:id/versions/:number', { id, number: String(number) });
      const found = differences(before ?? emptied(after), after, defined).map(shortened);
      return { key: id, link: { to, text: words.version(number, name) }, found };
    }
    case 'page': {
      const { id, kind, number, before, after } = change;
      const draftOf = (state: PageState | null) => draftsOfPage(kind, state?.content ?? null, state?.title ?? null);
      const to = `${href('/admin/pages/:id', { id })}?version=${number}`;
      const found = pageDifferences(kind, draftOf(before), draftOf(after)).map(shortened);
      const text = words.version(number, pageEditor.nameOf({ kind, title: after.title }));
      return { key: id, link: { to, text }, found };
    }
    case 'setting': {
      const name = changedThing(change);
      const [before, after] = [change.before, change.after].map((value) => valueInWords(change, value));
      const found = valueDifference(change.name, name, before!, after!);
      return { key: change.name, link: { to: historyPath(change.name), text: words.historyOf(name) }, found: [found] };
    }
    case 'columns': {
      const found = Object.entries(change.columns).map(([column, [before, after]]) =>
        valueDifference(column, storedColumns[column] ?? column, columnText(column, before), columnText(column, after)),
      );
      return { key: 'columns', link: null, found };
    }
  }
}

const valueDifference = (key: string, name: string, before: string, after: string): Difference => ({
  ...{ key, name, before, after },
  shape: 'value',
});

const emptied = (content: VersionContent): VersionContent =>
  Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, Array.isArray(value) ? [] : null]),
  ) as unknown as VersionContent;

const MAX_SHOWN_LENGTH = 300;

const shortened = (difference: Difference): Difference =>
  difference.shape === 'text'
    ? { ...difference, pieces: difference.pieces.map(({ kind, text }) => ({ kind, text: shortText(kind, text) })) }
    : difference;

const shortText = (kind: string, text: string): string =>
  kind === 'same' || text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH).trimEnd()}…`;

function columnText(column: string, value: unknown): string {
  if (column === 'handled') return value ? inbox.handled : inbox.fresh;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((event) => webhookWords.events[event as WebhookEvent] ?? event).join(', ');
  return value === null || value === '' ? 'Nothing' : String(value);
}
