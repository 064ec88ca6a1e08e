import { href, isRouteErrorResponse } from 'react-router';
import { refusalIn } from '#lib/data/refusal.ts';
import { ErrorPanel } from './error-panel.tsx';

export function PageError({ error }: { error: unknown }) {
  const refusal = refusalIn(error);
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  const title = refusal?.title ?? (isNotFound ? 'Page Not Found' : 'An unexpected error occurred');
  return (
    <ErrorPanel title={title} backTo={href('/')} back="Back to Home">
      {refusal && <p>{refusal.text}</p>}
    </ErrorPanel>
  );
}
