import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { Moment } from '#ui/time.tsx';
import { CompareDialog } from './actions.tsx';
import { draftsOfPage, pageDifferences } from './model/content.ts';
import { type EditedPage, type PageVersion, pageEditorOf, savePageDraft } from './model/pages.ts';
import { usePageVersions } from './page-queries.ts';
import type { PageForm } from './use-page-form.ts';
import { pageEditor as words } from './words.ts';

export function PageVersions({ page, form }: { page: EditedPage; form: PageForm }) {
  const versions = usePageVersions(page.id);
  const [address] = useSearchParams();
  const [compared, setCompared] = useState(Number(address.get('version')));
  const comparing = versions.data?.find(({ number }) => number === compared) ?? null;
  const [restoring, setRestoring] = useState<PageVersion | null>(null);
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
              {all.map((version, index) => (
                <li className="row cluster" key={version.number}>
                  <div className="row-words">
                    <strong>
                      Version {version.number}
                      {index === 0 && <span className="regular quiet"> (live)</span>}
                    </strong>
                    <span className="row-meta">
                      {pageEditorOf(version.publisher)}, <Moment at={version.published_at} />
                    </span>
                  </div>
                  <div className="inline gap-2">
                    <SmallButton
                      aria-label={`Compare version ${version.number}`}
                      onClick={() => setCompared(version.number)}
                    >
                      Compare
                    </SmallButton>
                    <SmallButton aria-label={`Restore version ${version.number}`} onClick={() => setRestoring(version)}>
                      Restore
                    </SmallButton>
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
