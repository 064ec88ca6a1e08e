import { useEffect } from 'react';
import { href, Outlet, useMatch } from 'react-router';
import { useSignedIn } from '#session/use-signed-in.ts';
import { PageError } from '#ui/feedback/page-error.tsx';
import { lazily } from '#ui/lazily.tsx';
import { watchScroll } from '#ui/scroll.ts';
import type { Route } from './+types/app-layout';
import { CompactFooter, Frame } from './frame.tsx';
import '#ui/layout/utilities.css';
import '#ui/form/fields.css';

const AccountMenu = lazily(() => import('./account-menu.tsx').then((module) => module.AccountMenu));

export default function AppLayout() {
  useEffect(watchScroll, []);
  const user = useSignedIn();
  const isSubmitPage = useMatch(href('/case-study-upload')) !== null;
  return (
    <Frame account={user && <AccountMenu user={user} />} footer={isSubmitPage ? null : <CompactFooter />}>
      <Outlet />
    </Frame>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <Frame footer={<CompactFooter />}>
    <PageError error={error} />
  </Frame>
);
