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

type LeaveGuardProps = { unsaved?: boolean; search?: boolean };

/** @param search whether a changed query on the same screen loses the input too */
export function LeaveGuard({ unsaved = false, search = false }: LeaveGuardProps) {
  useOpenWork(unsaved);
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
    const losesInput = from.pathname !== to.pathname || (search && from.search !== to.search);
    return activeGuards.size > 0 && losesInput;
  });
  const leave = () => {
    unsavedWork()?.();
    blocker.proceed?.();
  };
  return <LeaveQuestion open={blocker.state === 'blocked'} onLeave={leave} onStay={() => blocker.reset?.()} />;
}

type LeaveQuestionProps = { open: boolean; onLeave: () => void; onStay: () => void };

export const LeaveQuestion = ({ open, onLeave, onStay }: LeaveQuestionProps) => (
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
