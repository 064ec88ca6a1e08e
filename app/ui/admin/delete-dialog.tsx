import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { useReportWhenGone } from '../data/use-report-when-gone.ts';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';

interface DeleteDialogProps<Thing, Id, Result> {
  thing: Thing | null;
  title: string;
  confirmLabel?: string;
  busyLabel?: string;
  failed: string;
  deletion: Pick<UseMutationResult<Result, Error, Id>, 'mutateAsync' | 'isPending' | 'error' | 'reset'>;
  onClose: () => void;
  onDeleted: (thing: Thing, result: Result) => void;
  children: ReactNode;
}

/** Stays open after a failure. `onDeleted` is called even when the list and this dialog were unmounted. */
export function DeleteDialog<Thing extends { id: Id }, Id, Result>(props: DeleteDialogProps<Thing, Id, Result>) {
  const { thing, title, confirmLabel = messages.deleteConfirm, busyLabel = messages.deleting } = props;
  const { failed, deletion, onClose, onDeleted } = props;
  const reportWhenGone = useReportWhenGone(failed);
  const close = () => {
    deletion.reset();
    onClose();
  };
  async function confirm(deleted: Thing) {
    const result = await deletion.mutateAsync(deleted.id).catch(reportWhenGone);
    close();
    onDeleted(deleted, result);
  }
  return (
    <ConfirmDialog
      open={thing !== null}
      title={title}
      confirmLabel={confirmLabel}
      busyLabel={busyLabel}
      busy={deletion.isPending}
      error={deletion.error && messageOf(deletion.error, failed)}
      onCancel={close}
      onConfirm={() => thing && void confirm(thing).catch(() => {})}
    >
      {props.children}
    </ConfirmDialog>
  );
}
