import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';

const activeGuards = new Set<() => void>();

const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Input that leaving would lose: `LeaveGuard`, the browser and signing out request a confirmation. */
export function useOpenWork(isOpen: boolean, onLeave?: () => void) {
  const leaveCallback = useRef(onLeave);
  leaveCallback.current = onLeave;
  useEffect(() => {
    if (!isOpen) return;
    const release = () => leaveCallback.current?.();
    activeGuards.add(release);
    addEventListener('beforeunload', confirmUnload);
    return () => {
      activeGuards.delete(release);
      if (activeGuards.size === 0) removeEventListener('beforeunload', confirmUnload);
    };
  }, [isOpen]);
}

export function unsavedWork(): (() => void) | null {
  const guards = [...activeGuards];
  return guards.length === 0 ? null : () => guards.forEach((letGo) => void letGo());
}

/** @param search whether a changed query on the same screen loses the input too */
export function LeaveGuard({
  unsaved = false,
  search = false,
  onLeave,
}: {
  unsaved?: boolean;
  search?: boolean;
  onLeave?: () => void;
}) {
  useOpenWork(unsaved, onLeave);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      activeGuards.size > 0 &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (search && currentLocation.search !== nextLocation.search)),
  );
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
    cancelLabel="Stay here"
    onConfirm={onLeave}
    onCancel={onStay}
  >
    <p>Your changes are not saved yet. If you leave now, they are gone.</p>
  </ConfirmDialog>
);
