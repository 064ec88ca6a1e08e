import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SmallButton } from '../form/button.tsx';

export const MoreButton = ({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage'> & { fetchNextPage: () => unknown };
  children: ReactNode;
}) =>
  hasNextPage && (
    <SmallButton busy={isFetchingNextPage} busyLabel="Loading..." onClick={() => void fetchNextPage()}>
      {children}
    </SmallButton>
  );
