import { type FormEvent, useRef, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { RestorableFor } from '#features/portfolio/restorable-for.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { listParams } from '#lib/data/list-params.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { DayTime } from '#ui/time.tsx';
import { addressField } from './address.tsx';
import { MAX_TITLE_LENGTH, type PageRow, pageEditorOf, suggestedPath } from './model/pages.ts';
import { useCreatePage, useDeletePage, usePages, useRestorePage } from './page-queries.ts';
import { PageState } from './page-state.tsx';
import { pageEditor as words } from './words.ts';

export const meta = privateTags(words.title);

const noFilters = listParams({});

const COLUMNS: readonly Column<PageRow>[] = [
  {
    header: 'Title',
    cell: (page) =>
      page.deleted_at ? (
        page.title
      ) : (
        <Link className="row-title" to={href('/admin/pages/:id', { id: page.id })}>
          {words.nameOf(page)}
        </Link>
      ),
  },
  {
    header: words.addressLabel,
    cell: ({ path, kind }) => path ?? (kind === 'missing' ? 'Where no page is' : 'On every page'),
  },
  { header: 'State', cell: (page) => <PageState page={page} /> },
  {
    header: 'Last change',
    cell: (page) =>
      page.revision > 1 || page.kind === 'free' ? (
        <>
          <DayTime at={page.updated_at} />
          <span className="row-preview">{pageEditorOf(page.editor)}</span>
        </>
      ) : (
        'Never'
      ),
  },
];

export default function Pages() {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<PageRow | null>(null);
  const { say, complain } = useStatus();
  const restoration = useRestorePage();
  const restore = ({ id, title }: PageRow) =>
    void restoration.mutateAsync(id).then(
      () => say(`“${title ?? ''}” is restored.`),
      (error: unknown) => complain(words.reasonOf(error, 'The page was not restored.')),
    );
  return (
    <ListScreen
      title={words.title}
      about="The words and pictures of the site, its menu, and pages of your own. Readers see changes once you publish them."
      actions={
        <SmallButton variant="primary" onClick={() => setCreating(true)}>
          {words.new}
        </SmallButton>
      }
      list={useList(noFilters)}
      query={usePages()}
      loading="Loading pages"
      failed="The pages could not be loaded."
      none={null}
      table={{
        caption: 'Pages of the site, then your own, then deleted ones',
        keyOf: ({ id }) => id,
        columns: COLUMNS,
        actions: (page) =>
          page.kind === 'free' && (
            <SmallButton
              variant={page.deleted_at ? 'secondary' : 'danger'}
              aria-label={`${page.deleted_at ? words.restoreDeleted : words.delete} ${page.title}`}
              busy={restoration.isPending && restoration.variables === page.id}
              onClick={() => (page.deleted_at ? restore(page) : setDeleting(page))}
            >
              {page.deleted_at ? words.restoreDeleted : words.delete}
            </SmallButton>
          ),
      }}
    >
      <NewPage open={creating} onClose={() => setCreating(false)} />
      <DeleteDialog
        thing={deleting}
        title="Delete page?"
        failed="The page was not deleted."
        deletion={useDeletePage()}
        onClose={() => setDeleting(null)}
        onDeleted={({ id, title }) => say(`“${title ?? ''}” is deleted.`, { undo: () => restoration.mutateAsync(id) })}
      >
        <p>
          “{deleting?.title}” leaves the site, and {deleting?.path} shows that nothing is there. Take it out of the
          menu, too. If it has a date to be published, that is cancelled.
        </p>
        <RestorableFor open={deleting !== null} />
      </DeleteDialog>
    </ListScreen>
  );
}

const Fields = defineForm({
  fields: {
    title: { label: 'Title', required: true, autoComplete: 'off', maxLength: MAX_TITLE_LENGTH, autoFocus: true },
    path: addressField,
  },
  check: ({ title, path }) => ({ title: !title && 'Please enter a title', path: !path && 'Please enter an address' }),
  failed: 'The page was not created.',
  inWords: words.reasonOf,
  fieldOf: (failure) => (/\baddress\b/.test(failure) ? 'path' : null),
});

function NewPage({ open, onClose }: { open: boolean; onClose: () => void }) {
  const creation = useCreatePage();
  const navigate = useNavigate();
  const typedIn = useRef<HTMLFormElement>(null);

  function suggestAddress({ target }: FormEvent) {
    const { name, value, form } = target as HTMLInputElement;
    const path = form?.elements.namedItem('path') as HTMLInputElement;
    if (name === 'path') typedIn.current = value === '' ? null : form;
    else if (typedIn.current !== form) path.value = suggestedPath(value);
  }

  return (
    <Dialog open={open} title={words.new} busy={creation.isPending} onCancel={onClose}>
      <Fields
        inDialog
        save={(page) => creation.mutateAsync(page)}
        onSaved={(id) => void navigate(href('/admin/pages/:id', { id }))}
        onCancel={onClose}
        submitLabel="Create page"
        busyLabel="Creating..."
      >
        {(field, failure) => (
          <div className="form-stack gap-above" onInput={suggestAddress}>
            {field('title')}
            {field('path')}
            {failure}
          </div>
        )}
      </Fields>
    </Dialog>
  );
}
