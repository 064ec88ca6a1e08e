import { type ComponentProps, useEffect, useRef } from 'react';
import './dialog.css';

export function Dialog({
  open,
  busy = false,
  light = false,
  className = '',
  onCancel,
  ...rest
}: Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onCancel'> & {
  open: boolean;
  busy?: boolean;
  light?: boolean;
  onCancel: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes it, too
    <dialog
      {...rest}
      ref={dialog}
      className={`dialog ${className}`.trim()}
      onClick={light ? (event) => event.target === event.currentTarget && onCancel() : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
      // A browser may close on a second Escape without a cancel event; the owner has to know.
      onClose={() => open && onCancel()}
    />
  );
}
