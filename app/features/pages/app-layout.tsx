import { type ReactNode, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { hasStoredSession } from '#session/stored.ts';
import { PageError } from '#ui/feedback/page-error.tsx';
import '#ui/form/fields.css';
import { watchScroll } from '#ui/scroll.ts';
import type { Route } from './+types/app-layout';
import { CompactFooter } from './footer.tsx';
import { Frame } from './frame.tsx';

export default function AppLayout() {
  useEffect(watchScroll, []);
  return (
    <Frame account={useAccountMenu()} footer={<CompactFooter />}>
      <Outlet />
    </Frame>
  );
}

function useAccountMenu(): ReactNode {
  const [menu, setMenu] = useState<ReactNode>();
  useEffect(() => {
    let stop = () => {};
    let here = true;
    async function watch() {
      const [{ AccountMenu }, { currentUser, onSessionChange }] = await Promise.all([
        import('./account-menu.tsx'),
        import('#session/current-user.ts'),
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

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <Frame footer={<CompactFooter />}>
    <PageError error={error} />
  </Frame>
);
