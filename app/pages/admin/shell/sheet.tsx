import { type ReactNode, useEffect, useRef } from 'react';

/** A dialog over the screen. Escape and a press beside it close it; the focus goes back to where it was. */
export function Sheet({
  open,
  className,
  label,
  onClose,
  children,
}: {
  open: boolean;
  className: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same as a press beside it
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={label}
      onClose={() => open && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && children}
    </dialog>
  );
}
