import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ADMIN_ANSWER_LIFETIME, currentUser, onSessionChange } from './current-user.ts';

const CALLER = ['caller'];

/** Who is signed in, kept current: screens react when the session begins, ends or is refused. Working pages only. */
export function useCaller() {
  const cache = useQueryClient();
  useEffect(
    () =>
      onSessionChange((event) => {
        if (event === 'SIGNED_OUT') {
          cache.setQueryData(CALLER, null);
          // What the last person saw is not for the next one.
          cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CALLER[0] });
        } else if (event !== 'INITIAL_SESSION') {
          void cache.invalidateQueries({ queryKey: CALLER });
        }
      }),
    [cache],
  );
  return useQuery({
    queryKey: CALLER,
    queryFn: currentUser,
    staleTime: ADMIN_ANSWER_LIFETIME,
    // A role that was withdrawn is noticed without a reload.
    refetchInterval: ADMIN_ANSWER_LIFETIME,
    retry: 2,
    retryDelay: 1_000,
  });
}
