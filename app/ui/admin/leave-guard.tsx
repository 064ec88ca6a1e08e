import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { leaving as words } from '#lib/words/admin.ts';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';

const holding = new Set<() => void>();

export function unsavedWork(): (() => void) | null {
  const all = [...holding];
  return all.length === 0 ? null : () => all.forEach((letGo) => void letGo());
}

/** @param search whether a changed query on the same screen loses the input too */
export function LeaveGuard({
  unsaved,
  search = false,
  onLeave,
}: {
  unsaved: boolean;
  search?: boolean;
  onLeave?: () => void;
}) {
  const left = useRef(onLeave);
  left.current = onLeave;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (search && currentLocation.search !== nextLocation.search)),
  );
  useEffect(() => {
    if (!unsaved) return;
    const letGo = () => left.current?.();
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    holding.add(letGo);
    addEventListener('beforeunload', ask);
    return () => {
      holding.delete(letGo);
      removeEventListener('beforeunload', ask);
    };
  }, [unsaved]);
  return (
    <LeaveQuestion
      open={blocker.state === 'blocked'}
      onLeave={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onStay={() => blocker.reset?.()}
    />
  );
}

export const LeaveQuestion = ({
  open,
  onLeave,
  onStay,
}: {
  open: boolean;
  onLeave: () => void;
  onStay: () => void;
}) => (
  <ConfirmDialog
    open={open}
    title="Leave without saving?"
    confirmLabel="Leave"
    cancelLabel={words.stay}
    onConfirm={onLeave}
    onCancel={onStay}
  >
    <p>Your changes are not saved yet. If you leave now, they are gone.</p>
  </ConfirmDialog>
);
