import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askNeedsSecondFactor } from '#features/account/model/role.ts';
import { owesSecondFactor } from './after-sign-in.ts';
import { clients } from './browser.ts';
import { ADMIN_ANSWER_LIFETIME, type CurrentUser, isAdmin, onSessionChange, signedIn } from './current-user.ts';

const CALLER = ['caller'];

export interface Caller extends CurrentUser {
  /** `owed`: factor not verified in this session. `missing`: admins need a factor, and the account has none. */
  secondFactor: 'settled' | 'owed' | 'missing';
}

async function findCaller(): Promise<Caller | null> {
  const user = await signedIn();
  if (!user) return null;
  if (await owesSecondFactor()) return { ...user, isAdmin: false, secondFactor: 'owed' };
  const admin = await isAdmin();
  const isFactorMissing = !admin && (await askNeedsSecondFactor(clients().data()));
  return { ...user, isAdmin: admin, secondFactor: isFactorMissing ? 'missing' : 'settled' };
}

export const useCallerId = (): string => useQueryClient().getQueryData<Caller | null>(CALLER)?.id ?? '';

/** The current user, kept up to date: screens react when the session begins, ends or is refused. Admin area only. */
export function useCaller() {
  const cache = useQueryClient();
  useEffect(
    () =>
      onSessionChange((event) => {
        if (event === 'SIGNED_OUT') {
          cache.setQueryData(CALLER, null);
          // Cached data of the previous user must not be shown to the next.
          cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CALLER[0] });
        } else if (event !== 'INITIAL_SESSION') {
          void cache.invalidateQueries({ queryKey: CALLER });
        }
      }),
    [cache],
  );
  return useQuery({
    queryKey: CALLER,
    queryFn: findCaller,
    staleTime: ADMIN_ANSWER_LIFETIME,
    // Notices a revoked role without a reload.
    refetchInterval: ADMIN_ANSWER_LIFETIME,
    retry: 2,
    retryDelay: 1_000,
  });
}
