import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { settingsScreen as words } from '../../../copy/settings.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Asks before what was typed is lost, whether the next screen is ours or not. */
export function LeaveGuard({ unsaved, onLeave }: { unsaved: boolean; onLeave?: () => void }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
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
