import { type ReactNode, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { hasStoredSession } from '../../session/stored.ts';
import { PageError } from '../../ui/feedback/page-error.tsx';
import { watchScroll } from '../../ui/scroll.ts';
import type { Route } from './+types/app-layout';
import { Frame } from './frame.tsx';

/** Pages to work on, in the same frame: hydrated, so that forms and editors come alive. */
export default function AppLayout() {
  useEffect(watchScroll, []);
  return (
    <Frame account={useAccountMenu()}>
      <Outlet />
    </Frame>
  );
}

/** The account menu once somebody is known to be signed in; a visitor without a session loads nothing for it. */
function useAccountMenu(): ReactNode {
  const [menu, setMenu] = useState<ReactNode>();
  useEffect(() => {
    let stop = () => {};
    let here = true;
    async function watch() {
      const [{ AccountMenu }, { currentUser, onSessionChange }] = await Promise.all([
        import('./account-menu.tsx'),
        import('../../session/current-user.ts'),
      ]);
      const look = async () => {
        const user = await currentUser().catch(() => null);
        if (here) setMenu(user ? <AccountMenu user={user} /> : undefined);
      };
      await look();
      if (here) stop = onSessionChange(() => void look());
    }
    if (hasStoredSession()) void watch();
    return () => {
      here = false;
      stop();
    };
  }, []);
  return menu;
}

/** What a page could not be had for is said inside the frame. */
export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <Frame>
    <PageError error={error} />
  </Frame>
);
