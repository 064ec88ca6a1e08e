import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { Banner } from '../feedback/banner.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { SmallButton } from '../form/button.tsx';
import './loaded.css';

type LoadedProps<T> = { query: UseQueryResult<T>; loading: string; failed: string; children: (data: T) => ReactNode };

export function Loaded<T>({ query, loading, failed, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Spinner label={loading} />;
  return (
    <div className="form-stack">
      <Banner kind="error">{messageOf(query.error, failed)}</Banner>
      <SmallButton busy={query.isFetching} onClick={() => void query.refetch()}>
        Try Again
      </SmallButton>
    </div>
  );
}
