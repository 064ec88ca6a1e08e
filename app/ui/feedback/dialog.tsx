import { type ComponentProps, useEffect, useId, useRef } from 'react';
import { SmallButton } from '../form/button.tsx';
import './dialog.css';

interface DialogProps extends Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'title' | 'onCancel'> {
  open: boolean;
  title?: string | undefined;
  closeLabel?: string;
  busy?: boolean;
  light?: boolean;
  onCancel: () => void;
}

/** @param title heading; the content of such a dialog exists while it is open. @param closeLabel adds a button */
export function Dialog({ open, title, closeLabel, busy, light, className, onCancel, children, ...rest }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!open) return;
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes it, too
    <dialog
      aria-labelledby={title === undefined ? undefined : id}
      {...rest}
      ref={dialog}
      className={`dialog ${className ?? ''}`.trim()}
      onClick={light ? (event) => event.target === event.currentTarget && onCancel() : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
      // A browser may close on a second Escape without a cancel event; the owner has to know. The event comes a frame
      // later: a dialog that is open again by then stays open.
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
