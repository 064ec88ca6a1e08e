import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { SmallButton } from '../form/button.tsx';
import { restoreFocus } from '../restore-focus.ts';

export function MoreButton({
  query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage },
  children,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'> & {
    fetchNextPage: () => unknown;
  };
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it disappears with the last page
  useEffect(() => {
    const place = button.current?.parentElement;
    return () => queueMicrotask(() => restoreFocus(place));
  }, [hasNextPage]);
  return (
    hasNextPage && (
      <SmallButton ref={button} busy={isFetchingNextPage} busyLabel="Loading..." onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? 'That failed. Try again' : children}
      </SmallButton>
    )
  );
}
