import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askNeedsSecondFactor } from '#features/account/model/role.ts';
import type { AccountRole } from '#lib/account-role.ts';
import { owesSecondFactor } from './after-sign-in.ts';
import { clients } from './browser.ts';
import { type CurrentUser, onSessionChange, ownRole, ROLE_LIFETIME, signedIn } from './current-user.ts';
import { hasStoredSession } from './stored.ts';

const CALLER = ['caller'];

export interface Caller extends CurrentUser {
  /** `owed`: factor not verified in this session. `missing`: admins need a factor, and the account has none. */
  secondFactor: 'settled' | 'owed' | 'missing';
}

async function findCaller(last: Caller | null | undefined): Promise<Caller | null> {
  const user = await signedIn();
  if (!user) {
    // A session that cannot be renewed right now has not ended: the screen stays.
    if (hasStoredSession()) throw new Error('The session could not be renewed.');
    return null;
  }
  if (await owesSecondFactor()) return { ...user, role: last?.id === user.id ? last.role : null, secondFactor: 'owed' };
  const role = await ownRole();
  const isFactorMissing = !role && (await askNeedsSecondFactor(clients().data()));
  return { ...user, role, secondFactor: isFactorMissing ? 'missing' : 'settled' };
}

const useKnownCaller = () => useQueryClient().getQueryData<Caller | null>(CALLER);

export const useCallerId = (): string => useKnownCaller()?.id ?? '';

/** In the admin area, where every caller has a role. */
export const useOwnRole = (): AccountRole => useKnownCaller()?.role ?? 'editor';
export const useIsAdmin = (): boolean => useOwnRole() === 'admin';

/** Cached data of the previous user must not be shown to the next. */
const forgetOthers = (cache: QueryClient) =>
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CALLER[0] });

/** The current user, kept up to date: screens react when the session begins, ends or is refused. Admin area only. */
export function useCaller() {
  const cache = useQueryClient();
  useEffect(() => {
    return onSessionChange((event) => {
      if (event === 'SIGNED_OUT') {
        cache.setQueryData(CALLER, null);
        forgetOthers(cache);
      } else if (event !== 'INITIAL_SESSION') {
        void cache.invalidateQueries({ queryKey: CALLER });
      }
    });
  }, [cache]);
  return useQuery({
    queryKey: CALLER,
    async queryFn() {
      const known = cache.getQueryData<Caller | null>(CALLER);
      const caller = await findCaller(known);
      if (known && known.id !== caller?.id) forgetOthers(cache);
      return caller;
    },
    staleTime: ROLE_LIFETIME,
    // Notices a revoked role without a reload.
    refetchInterval: ROLE_LIFETIME,
    retry: 2,
    retryDelay: 1_000,
  });
}
