import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { settingsScreen as words } from '../../../copy/settings.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Asks before what was typed is lost, whether the next screen is ours or not. */
export function LeaveGuard({
  unsaved,
  search = false,
  onLeave,
}: {
  unsaved: boolean;
  /** Whether another query of the same address is another screen too. */
  search?: boolean;
  onLeave?: () => void;
}) {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) =>
      unsaved && (here.pathname !== next.pathname || (search && here.search !== next.search)),
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={words.leaveTitle}
      confirmLabel={words.leave}
      cancelLabel={words.stay}
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      <p>{words.leaveQuestion}</p>
    </ConfirmDialog>
  );
}
