import { type ReactNode, useEffect, useId } from 'react';
import { Button } from '../form/button.tsx';
import { restoreFocus } from '../restore-focus.ts';
import { Banner } from './banner.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  variant?: 'primary' | 'danger';
  busyLabel?: string;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Escape cancels; the focus returns to the previous element if it still exists. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel = 'Cancel', variant = 'danger' } = props;
  const { busyLabel, busy, error, onConfirm, onCancel } = props;
  const id = useId();
  // The dialog may be removed with its list.
  useEffect(() => (open ? () => queueMicrotask(() => restoreFocus()) : undefined), [open]);
  return (
    <Dialog open={open} title={title} busy={busy} aria-describedby={`${id}-text`} onCancel={onCancel}>
      <div className="gap-above" id={`${id}-text`}>
        {children}
      </div>
      {error && (
        <div className="gap-above">
          <Banner kind="error">{error}</Banner>
        </div>
      )}
      <div className="cluster end above-5">
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button variant={variant} className="button-filled" busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
