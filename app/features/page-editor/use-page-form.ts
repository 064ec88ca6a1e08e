import { useUnsaved } from '#features/projects/conflict/use-unsaved.ts';
import { changedFields } from '#features/projects/model/conflict.ts';
import type { Typed } from '#features/projects/model/unsaved-fields.ts';
import { ApiError, EditConflict } from '#lib/data/api-error.ts';
import type { Values } from '#lib/fields/field.ts';
import { clients } from '#session/browser.ts';
import { requireFields } from '#ui/form/use-submit.ts';
import { draftsOfPage, pageErrorsIn, storedOf } from './model/content.ts';
import { type EditedPage, findPage, pageEditorOf, SAVED_MEANWHILE, savePageDraft } from './model/pages.ts';
import { pagesChanged } from './page-queries.ts';
import { pageEditor as words } from './words.ts';

type TypedPage = Typed<Values> & { seen: number };

export type PageForm = ReturnType<typeof usePageForm>;

const startOf = (page: EditedPage): TypedPage => {
  const base = draftsOfPage(page.kind, page.draft ?? page.live, page.title);
  return { base, fields: base, seen: page.revision };
};

const asIs = (values: Values) => values;

export function usePageForm(page: EditedPage) {
  const { id, kind } = page;
  async function latestPage() {
    const latest = await findPage(clients().data(), id);
    if (!latest) throw new ApiError(words.gone);
    return latest;
  }
  const form = useUnsaved<Values, TypedPage, Values>({
    id,
    start: startOf(page),
    isNewer: (one, other) => one.seen > other.seen,
    flat: asIs,
    nested: asIs,
    async findLatest() {
      const latest = await latestPage();
      const { revision: key, editor, updated_at: at } = latest;
      return { latest: startOf(latest), saves: [{ key, name: pageEditorOf(editor), at }] };
    },
    onChanged: pagesChanged,
    failed: 'The draft was not saved. What you typed is still here.',
    reasonOf: words.reasonOf,
  });
  const { fields } = form;

  const write = async ({ fields, seen }: TypedPage) => ({
    seen: await savePageDraft(clients().data(), id, { ...storedOf(kind, fields), seen }).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === SAVED_MEANWHILE ? new EditConflict() : error;
    }),
  });
  async function reload() {
    form.replace(startOf(await latestPage()));
    await form.changed();
  }

  return {
    ...form,
    reload,
    /** @returns the new revision; null when others saved meanwhile */
    save: async (from = form.state): Promise<number | null> =>
      changedFields(from.base, from.fields).length > 0 ? ((await form.save(write, from))?.seen ?? null) : from.seen,
    check: () => requireFields(pageErrorsIn(kind, fields)),
    async discard() {
      const draft = { content: page.live, title: page.live_title, seen: form.seen };
      if (page.is_draft) await savePageDraft(clients().data(), id, draft).finally(form.changed);
      await reload();
    },
  };
}
