import type { ReactNode } from 'react';
import { Dialog } from '#ui/feedback/dialog.tsx';

export function SideSheet({
  open,
  className,
  label,
  onClose,
  children,
}: {
  open: boolean;
  className?: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      className={className}
      aria-label={label}
      open={open}
      onCancel={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {open && children}
    </Dialog>
  );
}
