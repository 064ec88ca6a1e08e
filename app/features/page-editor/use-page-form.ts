import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { changedFields, type MergeResult, merge, mergedFields } from '#features/projects/model/conflict.ts';
import { ApiError } from '#lib/data/api-error.ts';
import type { Values } from '#lib/fields/field.ts';
import { clients } from '#session/browser.ts';
import { useCallerId } from '#session/caller.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { draftsOfPage, formFields, pageErrorsIn, storedOf } from './model/content.ts';
import { type EditedPage, findPage, SAVED_MEANWHILE, savePageDraft } from './model/pages.ts';
import { pagesChanged } from './page-queries.ts';
import { pageEditor as words } from './words.ts';

interface Typed {
  base: Values;
  fields: Values;
  seen: number;
}

export interface PageConflict {
  meeting: MergeResult<Values>;
  latest: EditedPage;
}

export type PageForm = ReturnType<typeof usePageForm>;

const startOf = (page: EditedPage): Typed => {
  const base = draftsOfPage(page.kind, page.draft ?? page.live, page.title);
  return { base, fields: base, seen: page.revision };
};

function readTyped(key: string, { kind }: EditedPage): Typed | null {
  const stored = JSON.parse(readStored('sessionStorage', key) ?? 'null') as Typed | null;
  return stored && Object.keys(formFields(kind)).every((name) => name in stored.base) ? stored : null;
}

/** Typed input survives a reload of the tab, and never overwrites what others saved since the page was read. */
export function usePageForm(page: EditedPage) {
  const cache = useQueryClient();
  const caller = useCallerId();
  const [key] = useState(`madhouse-unsaved-page-${caller}-${page.id}`);
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(() => readTyped(key, page) ?? startOf(page));
  const [conflict, setConflict] = useState<PageConflict | null>(null);
  const { busy, failure, wrong: errors, run, settle, reset } = useSubmit(words.failedToSave, words.reasonOf);
  const unsaved = changedFields(typed.base, typed.fields).length > 0;

  useEffect(() => {
    writeStored('sessionStorage', key, unsaved ? JSON.stringify(typed) : null);
  }, [key, typed, unsaved]);
  useEffect(() => {
    if (!unsaved && page.revision > typed.seen) setTyped(startOf(page));
  }, [page, typed.seen, unsaved]);

  async function reload() {
    const latest = await findPage(clients().data(), page.id);
    if (latest) setTyped(startOf(latest));
    setConflict(null);
    await pagesChanged(cache);
  }

  /** @returns the new revision; null when others saved meanwhile */
  async function save(from: Typed): Promise<number | null> {
    const data = clients().data();
    const revision = await savePageDraft(data, page.id, {
      ...storedOf(page.kind, from.fields),
      seen: from.seen,
    }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === SAVED_MEANWHILE) return null;
      throw error;
    });
    if (revision === null) {
      const latest = await findPage(data, page.id);
      if (!latest) throw new ApiError(words.gone);
      const meeting = merge(from.base, from.fields, startOf(latest).base);
      if (meeting.both.length + meeting.onlyTheirs.length === 0) return save({ ...from, seen: latest.revision });
      setConflict({ meeting, latest });
      return null;
    }
    setTyped((known) => ({ ...known, base: from.fields, seen: revision }));
    setConflict(null);
    await pagesChanged(cache);
    return revision;
  }

  return {
    fields: typed.fields,
    unsaved,
    conflict,
    errors,
    failure,
    busy,
    element,
    run,
    reload,
    change(fields: Values) {
      setTyped((known) => ({ ...known, fields }));
      const isChanged = (place: string) => typed.fields[place.split('.')[0]!] !== fields[place.split('.')[0]!];
      for (const place of Object.keys(errors)) if (errors[place] && isChanged(place)) settle(place);
    },
    save: async (from = typed) => (changedFields(from.base, from.fields).length > 0 ? save(from) : from.seen),
    check: () => requireFields(pageErrorsIn(page.kind, typed.fields)),
    forget: () => writeStored('sessionStorage', key, null),
    async discard() {
      const { id, live, live_title, revision } = page;
      if (page.is_draft)
        await savePageDraft(clients().data(), id, { content: live, title: live_title, seen: revision });
      reset();
      await reload();
    },
    resolve({ meeting, latest }: PageConflict, choose: Parameters<typeof mergedFields<Values>>[1]) {
      const next = { base: meeting.theirs, fields: mergedFields(meeting, choose), seen: latest.revision };
      setTyped(next);
      setConflict(null);
      return next;
    },
  };
}
