import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { href, Link, useSearchParams } from 'react-router';
import { FieldInputs } from '#features/fields/field-input.tsx';
import { draftText } from '#features/fields/model/draft-text.ts';
import { Conflict } from '#features/projects/conflict/conflict.tsx';
import { PlanProblem, Schedule } from '#features/projects/planned/plans.tsx';
import { DiffText } from '#features/projects/versions/diff-text.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { wordDiff } from '#lib/data/word-diff.ts';
import type { Values } from '#lib/fields/field.ts';
import { clients } from '#session/browser.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { LinkButton, SmallButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { focusField, useSubmit } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { Moment } from '#ui/time.tsx';
import type { Route } from './+types/edit';
import { CompareDialog, EditorActions } from './actions.tsx';
import { Address } from './address.tsx';
import { draftsOfPage, formFields, pageDifferences, pageErrorsIn } from './model/content.ts';
import { type EditedPage, type PageVersion, pageEditorOf, savePageDraft } from './model/pages.ts';
import { PagePreview } from './page-preview.tsx';
import { pagesChanged, usePage, usePagePlans, usePageVersions } from './page-queries.ts';
import { PageState } from './page-state.tsx';
import { type PageForm, usePageForm } from './use-page-form.ts';
import { pageEditor as words } from './words.ts';
import './page-editor.css';

export const meta = privateTags('Edit page');

const BACK = <Link to={href('/admin/pages')}>Back to pages</Link>;

const EditPage = ({ params: { id } }: Route.ComponentProps) => (
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
export default EditPage;

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
  const { conflict } = form;
  const specs = formFields(page.kind);
  const fields = (
    <TitledSection
      className="page-fields form-stack"
      titleId="page-fields"
      heading="hidden-text"
      title="Words and pictures"
    >
      <FieldInputs fields={specs} name="" draft={form.fields} errors={form.wrong} onChange={form.setFields} />
    </TitledSection>
  );
  const preview = <PagePreview page={page} values={form.fields} />;
  const saved = (revision: number | null) => revision !== null && say('The draft is saved.');
  const save = (event: FormEvent) => {
    event.preventDefault();
    void form.run(form.save, saved);
  };
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
      {conflict && (
        <Conflict
          thing="page"
          met={conflict}
          form={form}
          nameOf={(name) => specs[name]?.label ?? name}
          compare={(name) => {
            const text = (side: Values) => draftText(specs[name]!, side[name]);
            const { theirs, mine } = conflict.meeting;
            return { difference: <DiffText pieces={wordDiff(text(theirs), text(mine))} /> };
          }}
          onSave={(chosen) => void form.run(() => form.save(chosen), saved)}
        />
      )}
      <form ref={form.element} noValidate onSubmit={save}>
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
      {page.is_draft && <PageSchedule page={page} form={form} />}
      {page.kind === 'free' && <Address page={page} />}
      <PageVersions page={page} form={form} />
      <LeaveGuard />
    </>
  );
}

function PageSchedule({ page: { id, kind }, form }: { page: EditedPage; form: PageForm }) {
  const plan = usePagePlans(id).data?.[0];
  const isComplete = Object.keys(pageErrorsIn(kind, form.base)).length === 0;
  return (
    <TitledSection ref={keepFocus} className="above-5" titleId="schedule" title="Publish later">
      {plan && <PlanProblem plan={plan} />}
      <p className="field-hint below-4">
        {isComplete ? 'The draft is published as saved at that time.' : 'Complete and save the draft to set a date.'}
      </p>
      {(plan || isComplete) && <Schedule kind="publish" plan={plan} of={{ page: id }} onChanged={pagesChanged} />}
    </TitledSection>
  );
}

function PageVersions({ page, form }: { page: EditedPage; form: PageForm }) {
  const versions = usePageVersions(page.id);
  const [address] = useSearchParams();
  const [compared, setCompared] = useState(Number(address.get('version')));
  const [restoring, setRestoring] = useState<PageVersion | null>(null);
  const comparing = versions.data?.find(({ number }) => number === compared) ?? null;
  const { busy, failure, run, reset } = useSubmit('The version was not restored.', words.reasonOf);
  const { say } = useStatus();
  const differencesTo = ({ content, title }: PageVersion) =>
    pageDifferences(page.kind, form.fields, draftsOfPage(page.kind, content, title));
  const closeRestore = () => {
    reset();
    setRestoring(null);
  };
  const restore = ({ number, content, title }: PageVersion) =>
    run(
      async () => {
        await savePageDraft(clients().data(), page.id, { content, title, seen: form.seen }).finally(form.changed);
        await form.reload();
      },
      () => {
        closeRestore();
        say(`Version ${number} is in the draft. Publish it to show it.`);
      },
    );
  return (
    <TitledSection titleId="page-versions" title="Published versions">
      <Loaded query={versions} loading="Loading versions" failed="The versions could not be loaded.">
        {(all) =>
          all.length === 0 ? (
            <p className="empty">Nothing was published yet. Every publication is kept here.</p>
          ) : (
            <ol className="hairline" reversed>
              {all.map(({ number, publisher, published_at }, index) => (
                <li className="row cluster" key={number}>
                  <div className="row-words">
                    <strong>
                      Version {number}
                      {index === 0 && <span className="regular quiet"> (live)</span>}
                    </strong>
                    <span className="row-meta">
                      {pageEditorOf(publisher)}, <Moment at={published_at} />
                    </span>
                  </div>
                  <div className="inline gap-2">
                    <SmallButton aria-label={`Compare version ${number}`} onClick={() => setCompared(number)}>
                      Compare
                    </SmallButton>
                    {index > 0 && (
                      <SmallButton aria-label={`Restore version ${number}`} onClick={() => setRestoring(all[index]!)}>
                        Restore
                      </SmallButton>
                    )}
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <CompareDialog
        title={`What restoring version ${comparing?.number} would change`}
        open={comparing !== null}
        found={comparing ? differencesTo(comparing) : []}
        onClose={() => setCompared(0)}
      />
      <ConfirmDialog
        open={restoring !== null}
        title={`Restore version ${restoring?.number}?`}
        variant="primary"
        confirmLabel="Restore into the draft"
        busy={busy}
        error={failure}
        onCancel={closeRestore}
        onConfirm={() => restoring && void restore(restoring)}
      >
        <p>Its words and pictures replace the draft. Readers see them once you publish.</p>
      </ConfirmDialog>
    </TitledSection>
  );
}
