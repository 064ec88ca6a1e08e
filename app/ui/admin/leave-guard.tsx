import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { leaveWords as words } from '#lib/words/admin.ts';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';

const activeGuards = new Set<() => void>();

const openWork = new Set<symbol>();

/** Input in a part of the screen: its guard asks because of this too. */
export function useOpenWork(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return;
    const work = Symbol();
    openWork.add(work);
    addEventListener('beforeunload', confirmUnload);
    return () => {
      openWork.delete(work);
      if (openWork.size === 0) removeEventListener('beforeunload', confirmUnload);
    };
  }, [isOpen]);
}

const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();

export function unsavedWork(): (() => void) | null {
  const guards = [...activeGuards];
  return guards.length === 0 ? null : () => guards.forEach((letGo) => void letGo());
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
  const leaveCallback = useRef(onLeave);
  leaveCallback.current = onLeave;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      (unsaved || openWork.size > 0) &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (search && currentLocation.search !== nextLocation.search)),
  );
  useEffect(() => {
    if (!unsaved) return;
    const release = () => leaveCallback.current?.();
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    activeGuards.add(release);
    addEventListener('beforeunload', confirmUnload);
    return () => {
      activeGuards.delete(release);
      removeEventListener('beforeunload', confirmUnload);
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
