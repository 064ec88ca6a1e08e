import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../form/button.tsx';

export const MoreButton = ({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage'> & { fetchNextPage: () => unknown };
  children: ReactNode;
}) =>
  hasNextPage && (
    <Button
      variant="secondary"
      size="admin"
      busy={isFetchingNextPage}
      busyLabel="Loading..."
      onClick={() => void fetchNextPage()}
    >
      {children}
    </Button>
  );
