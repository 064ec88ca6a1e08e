import { useRef, useState } from 'react';

/** The form of a row. Its button opens and closes it, and gets the focus from `close`. */
export function useRowEditor() {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  return {
    isOpen,
    button: { ref, 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
    close() {
      setOpen(false);
      ref.current?.focus();
    },
  };
}
