import { useRef, useState } from 'react';
import type { Difference } from '#features/projects/model/versions/version-difference.ts';
import { Differences } from '#features/projects/versions/version.tsx';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { draftsOfPage, labelOfPlace, pageDifferences } from './model/content.ts';
import { type EditedPage, publishPage } from './model/pages.ts';
import { usePagePlans } from './page-queries.ts';
import type { PageForm } from './use-page-form.ts';
import { pageEditor as words } from './words.ts';

type EditorActionsProps = { page: EditedPage; form: PageForm; onField: (place: string) => void };

export function EditorActions({ page, form, onField }: EditorActionsProps) {
  const summary = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<'compare' | 'publish' | 'discard' | null>(null);
  const [revision, setRevision] = useState(page.revision);
  const { say } = useStatus();
  const { busy, failure, run, reset } = useSubmit('The page was not published.', words.reasonOf);
  const places = Object.keys(form.wrong).filter((place) => form.wrong[place]);
  const isChanged = form.unsaved || page.is_draft;
  const isDiscard = dialog === 'discard';
  const isPlanned = usePagePlans(page.id, page.is_draft).data?.length === 1;
  const discardText = `The form goes back to what is live${isPlanned ? ', and the date to publish it is cancelled' : ''}. These changes are lost:`;
  const noChanges = page.kind === 'free' && !page.live ? 'Nothing is published yet.' : 'Everything is published.';
  const live = draftsOfPage(page.kind, page.live, page.live_title);
  // What was typed since saving is not published.
  const shown = dialog === 'publish' ? form.base : form.fields;
  const found = dialog ? pageDifferences(page.kind, live, shown) : [];
  const close = () => {
    reset();
    setDialog(null);
  };
  const checkAndSave = async () => {
    form.check();
    return form.save();
  };
  const askToPublish = (saved: number | null) => {
    if (saved === null) return;
    setRevision(saved);
    setDialog('publish');
  };
  const startPublishing = () => form.run(checkAndSave, askToPublish, { focus: () => summary.current?.focus() });
  const confirm = async () => {
    if (isDiscard) await form.discard();
    else await publishPage(clients().data(), page.id, revision).finally(form.changed);
    say(isDiscard ? 'The draft is discarded.' : 'Published. The site shows it from now on.');
  };
  return (
    <>
      {places.length > 0 && (
        <div ref={summary} tabIndex={-1} className="page-errors gap-above">
          <Banner kind="error">
            <p>{places.length === 1 ? 'One field' : `${places.length} fields`} to complete before publishing:</p>
            <ul>
              {places.map((place) => (
                <li key={place}>
                  <button type="button" className="touch underlined" onClick={() => onField(place)}>
                    {labelOfPlace(page.kind, place)}: {form.wrong[place]}
                  </button>
                </li>
              ))}
            </ul>
          </Banner>
        </div>
      )}
      <div className="stack gap-3 bottom-bar form-bar settings-bar above-5 rule pad-y-3">
        {form.failure && <Banner kind="error">{form.failure}</Banner>}
        <div className="cluster">
          <SmallButton variant="primary" busy={form.busy} disabled={!isChanged} onClick={() => void startPublishing()}>
            {words.publish}
          </SmallButton>
          <SmallButton type="submit" busy={form.busy} disabled={!form.unsaved}>
            Save draft
          </SmallButton>
          <SmallButton disabled={!isChanged} onClick={() => setDialog('compare')}>
            {words.compare}
          </SmallButton>
          <SmallButton disabled={!isChanged} onClick={() => setDialog('discard')}>
            {words.discard}
          </SmallButton>
          <p className="field-hint" aria-live="polite">
            {form.unsaved ? 'Not saved yet.' : page.is_draft ? 'The draft is saved.' : noChanges}
          </p>
        </div>
        <CompareDialog title={words.compare} open={dialog === 'compare'} found={found} onClose={close} />
        <ConfirmDialog
          open={dialog === 'publish' || isDiscard}
          title={isDiscard ? 'Discard the draft?' : 'Publish these changes?'}
          variant={isDiscard ? 'danger' : 'primary'}
          confirmLabel={isDiscard ? words.discard : words.publish}
          busy={busy}
          error={failure}
          onCancel={close}
          onConfirm={() => void run(confirm, close)}
        >
          <p className="below-3">{isDiscard ? discardText : PUBLISH_TEXT}</p>
          <Differences found={found} same={NOTHING} />
        </ConfirmDialog>
      </div>
    </>
  );
}

const NOTHING = 'Nothing differs.';
const PUBLISH_TEXT = 'Readers see them with the next request. You can restore an earlier version at any time.';

type Comparison = { title: string; open: boolean; found: Difference[]; onClose: () => void };

export const CompareDialog = ({ title, open, found, onClose }: Comparison) => (
  <Dialog open={open} title={title} closedby="any" className="library-dialog" closeLabel="Close" onCancel={onClose}>
    <Differences found={found} same={NOTHING} />
  </Dialog>
);
