import { Outlet } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { PageError } from '#ui/feedback/page-error.tsx';
import type { Route } from './+types/layout';
import { Frame } from './frame.tsx';

export const handle: PageHandle = { hydrate: false };

const PublicLayout = () => (
  <Frame>
    <Outlet />
  </Frame>
);
export default PublicLayout;

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <Frame>
    <PageError error={error} />
  </Frame>
);
