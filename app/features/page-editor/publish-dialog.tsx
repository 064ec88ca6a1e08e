import type { Difference } from '#features/projects/model/versions/version-difference.ts';
import { Differences } from '#features/projects/versions/version.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { pageEditor as words } from './words.ts';

export function PublishDialog({
  doing,
  found,
  onClose,
  onPublish,
  onDiscard,
}: {
  doing: 'compare' | 'publish' | 'discard' | null;
  found: Difference[];
  onClose: () => void;
  onPublish: () => Promise<void>;
  onDiscard: () => Promise<void>;
}) {
  const { busy, failure, run, reset } = useSubmit('The page was not published.', words.reasonOf);
  const isDiscard = doing === 'discard';
  const close = () => {
    reset();
    onClose();
  };
  return (
    <>
      <CompareDialog title={words.compare} open={doing === 'compare'} found={found} onClose={close} />
      <ConfirmDialog
        open={doing === 'publish' || isDiscard}
        title={isDiscard ? 'Discard the draft?' : 'Publish these changes?'}
        confirmLabel={isDiscard ? words.discard : words.publish}
        busy={busy}
        error={failure}
        onCancel={close}
        onConfirm={() => void run(isDiscard ? onDiscard : onPublish, close)}
      >
        <p>
          {isDiscard
            ? 'The form goes back to what is live. These changes are lost:'
            : 'Readers see them with the next request. You can restore an earlier version at any time.'}
        </p>
        <Differences found={found} same="Nothing differs." />
      </ConfirmDialog>
    </>
  );
}

export function CompareDialog({
  title,
  open,
  found,
  onClose,
}: {
  title: string;
  open: boolean;
  found: Difference[];
  onClose: () => void;
}) {
  return (
    <Dialog open={open} title={title} light className="library-dialog" closeLabel="Close" onCancel={onClose}>
      <Differences found={found} same="Nothing differs." />
    </Dialog>
  );
}
