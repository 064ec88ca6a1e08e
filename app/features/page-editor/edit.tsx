import { type ComponentProps, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { href, Link } from 'react-router';
import { FieldInputs } from '#features/fields/field-input.tsx';
import { draftText } from '#features/fields/model/draft-text.ts';
import { Conflict } from '#features/projects/conflict/conflict.tsx';
import { PlanProblem } from '#features/projects/planned/plans.tsx';
import { Schedule } from '#features/projects/planned/schedule.tsx';
import { DiffText } from '#features/projects/versions/diff-text.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { wordDiff } from '#lib/data/word-diff.ts';
import type { Values } from '#lib/fields/field.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/edit';
import { EditorActions } from './actions.tsx';
import { Address } from './address.tsx';
import { formFields } from './model/content.ts';
import type { EditedPage } from './model/pages.ts';
import { PagePreview } from './page-preview.tsx';
import { pagesChanged, usePage, usePagePlans } from './page-queries.ts';
import { PageState } from './page-state.tsx';
import { type PageForm, type TypedPage, usePageForm } from './use-page-form.ts';
import { PageVersions } from './versions.tsx';
import { pageEditor as words } from './words.ts';
import './page-editor.css';

export const meta = privateTags('Edit page');

const BACK = <Link to={href('/admin/pages')}>Back to pages</Link>;

export default function EditPage({ params: { id } }: Route.ComponentProps) {
  return (
    <Loaded query={usePage(id)} loading={words.loadingOne} failed={words.failedOne}>
      {(page) =>
        page ? (
          <Editor key={id} page={page} />
        ) : (
          <>
            <ScreenHead title="No such page" back={BACK} />
            <Banner kind="info">
              It may have been deleted. The list of pages ends with deleted ones, which you can restore.
            </Banner>
          </>
        )
      }
    </Loaded>
  );
}

const WIDE = '(min-width: 1200px)';
const useIsWide = () =>
  useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(WIDE);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => matchMedia(WIDE).matches,
    () => true,
  );

function Editor({ page }: { page: EditedPage }) {
  const form = usePageForm(page);
  const isWide = useIsWide();
  const [tab, setTab] = useState('edit');
  const { say } = useStatus();
  const fields = <Fields page={page} form={form} />;
  const preview = <PagePreview page={page} values={form.fields} />;
  const saved = (revision: number | null) => revision !== null && say('The draft is saved.');
  const showField = (place: string) => {
    flushSync(() => setTab('edit'));
    focusField(form.element.current, place)?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <ScreenHead title={words.nameOf(page)} back={BACK} about={<PageState page={page} />}>
        {page.path && (page.kind !== 'free' || page.live) && (
          <LinkButton variant="secondary" size="admin" href={page.path} target="_blank" rel="noopener">
            See the page <Icon name="arrow-out" />
          </LinkButton>
        )}
      </ScreenHead>
      {form.conflict && (
        <PageConflictBox
          page={page}
          form={form}
          met={form.conflict}
          onSave={(chosen) => void form.run(() => form.save(chosen), saved)}
        />
      )}
      <form
        ref={form.element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.run(form.save, saved);
        }}
      >
        {isWide ? (
          <div className="page-editor stack split-1200 top gap-6">
            {fields}
            {preview}
          </div>
        ) : (
          <Tabs
            label="Edit or preview"
            tabs={[
              { value: 'edit', label: 'Edit', panel: fields },
              { value: 'preview', label: 'Preview', panel: preview },
            ]}
            chosen={tab}
            onChoose={setTab}
          />
        )}
        <EditorActions page={page} form={form} onField={showField} />
      </form>
      {page.is_draft && <PageSchedule id={page.id} />}
      {page.kind === 'free' && <Address page={page} />}
      <PageVersions page={page} form={form} />
      <LeaveGuard unsaved={form.unsaved} onLeave={form.forget} />
    </>
  );
}

function PageSchedule({ id }: { id: string }) {
  const plan = usePagePlans(id).data?.[0];
  return (
    <TitledSection className="above-5" titleId="schedule" title="Publish later">
      {plan && <PlanProblem plan={plan} />}
      <p className="field-hint below-4">The draft is published as it is saved at that time.</p>
      <Schedule kind="publish" plan={plan} of={{ page: id }} onChanged={pagesChanged} />
    </TitledSection>
  );
}

const Fields = ({ page, form }: { page: EditedPage; form: PageForm }) => (
  <TitledSection
    className="page-fields form-stack"
    titleId="page-fields"
    heading="hidden-text"
    title="Words and pictures"
  >
    <FieldInputs
      fields={formFields(page.kind)}
      name=""
      draft={form.fields}
      errors={form.errors}
      onChange={form.change}
    />
  </TitledSection>
);

function PageConflictBox({
  page,
  met,
  ...props
}: Pick<ComponentProps<typeof Conflict<TypedPage, Values>>, 'met' | 'form' | 'onSave'> & { page: EditedPage }) {
  const fields = formFields(page.kind);
  const { theirs, mine } = met.meeting;
  return (
    <Conflict
      {...props}
      thing="page"
      met={met}
      nameOf={(name) => fields[name]?.label ?? name}
      compare={(name) => {
        const text = (side: Values) => draftText(fields[name]!, side[name]);
        return { difference: <DiffText pieces={wordDiff(text(theirs), text(mine))} /> };
      }}
    />
  );
}
