import { type ComponentProps, useEffect, useId, useRef } from 'react';
import { SmallButton } from '../form/button.tsx';
import './dialog.css';

interface DialogProps extends Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'title' | 'onCancel'> {
  open: boolean;
  title?: string | undefined;
  closeLabel?: string;
  busy?: boolean;
  onCancel: () => void;
}

/** @param title heading; the content of such a dialog exists while it is open. @param closeLabel adds a button */
export function Dialog({ open, title, closeLabel, busy, className, onCancel, children, ...rest }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!open) return;
    const element = dialog.current!;
    element.showModal();
    // A long dialog would start at the button at its end, which has the focus.
    element.scrollTop = 0;
    return () => element.close();
  }, [open]);
  return (
    <dialog
      aria-labelledby={title === undefined ? undefined : id}
      {...rest}
      ref={dialog}
      className={`dialog ${className ?? ''}`.trim()}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
      // A second Escape closes without a cancel event. This event is a frame late: the dialog may be open again.
      onClose={({ currentTarget }) => open && !currentTarget.open && onCancel()}
    >
      {title === undefined
        ? children
        : open && (
            <>
              <h2 className="size-1 anywhere" id={id}>
                {title}
              </h2>
              {children}
              {closeLabel && (
                <div className="cluster end above-5">
                  <SmallButton onClick={onCancel}>{closeLabel}</SmallButton>
                </div>
              )}
            </>
          )}
    </dialog>
  );
}
