import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { SmallButton } from '../form/button.tsx';
import { restoreFocus } from '../restore-focus.ts';

type PageState = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'>;
type MoreButtonProps = { query: PageState & { fetchNextPage: () => unknown }; children: ReactNode };

export function MoreButton({ query, children }: MoreButtonProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
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
