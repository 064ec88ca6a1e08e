import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askNeedsSecondFactor } from '../models/account/role.ts';
import { owesSecondFactor } from './after-sign-in.ts';
import { clients } from './browser.ts';
import { ADMIN_ANSWER_LIFETIME, type CurrentUser, isAdmin, onSessionChange, signedIn } from './current-user.ts';

const CALLER = ['caller'];

/** Somebody at the gate. */
export interface Caller extends CurrentUser {
  /** `owed`: the account has one that this session has not shown; `missing`: admins need one here, and it has none. */
  secondFactor: 'settled' | 'owed' | 'missing';
}

async function findCaller(): Promise<Caller | null> {
  const user = await signedIn();
  if (!user) return null;
  if (await owesSecondFactor()) return { ...user, isAdmin: false, secondFactor: 'owed' };
  const admin = await isAdmin();
  const missing = !admin && (await askNeedsSecondFactor(clients().data()));
  return { ...user, isAdmin: admin, secondFactor: missing ? 'missing' : 'settled' };
}

/** The id of who is inside the gate, as the gate knows it. */
export const useCallerId = (): string => useQueryClient().getQueryData<Caller | null>(CALLER)?.id ?? '';

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
    queryFn: findCaller,
    staleTime: ADMIN_ANSWER_LIFETIME,
    // A role that was withdrawn is noticed without a reload.
    refetchInterval: ADMIN_ANSWER_LIFETIME,
    retry: 2,
    retryDelay: 1_000,
  });
}
