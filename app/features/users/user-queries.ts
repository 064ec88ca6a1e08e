import { type QueryClient, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { href } from 'react-router';
import { healthQuery } from '#features/setup/health-query.ts';
import type { Health } from '#features/setup/model/health.ts';
import { reasonOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useCallerId } from '#session/caller.ts';
import { forgetRole } from '#session/current-user.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import {
  changeUser,
  countProjectsOf,
  type Invitation,
  inviteUser,
  listUsers,
  nameOf,
  type UserAccount,
  type UserAction,
  type UserQuestion,
} from './model/users.ts';
import { userActions, users as words } from './words.ts';

const USERS = 'users';

const KEPT = { staleTime: 60_000, ...keepsShown };

export const useUsers = (question: UserQuestion) =>
  useRead([USERS, 'page', question], (data) => listUsers(clients().functions, data, question), KEPT);

const mailCodeIn = ({ checks }: Health) => checks.find(({ part }) => part === 'mail')?.code;

export function useMailCode(enabled: boolean) {
  const cache = useQueryClient();
  const { data: known } = useQuery({ ...healthQuery, enabled, select: mailCodeIn });
  return { known, find: async () => mailCodeIn(await cache.fetchQuery(healthQuery)) };
}

export const useProjectCount = (id: string) => useRead([USERS, 'projects', id], (data) => countProjectsOf(data, id));

const usersChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [USERS] });

export const useInviteUser = () =>
  useWrite((_, invitation: Invitation) => inviteUser(clients(), invitation), usersChanged);

type UserChange = { action: UserAction; user: UserAccount; duration?: string };

/** Reports the result even if another screen is open by then. @returns also the ids of users that are being changed */
export function useUserChange() {
  const cache = useQueryClient();
  const callerId = useCallerId();
  const { say, complain } = useStatus();
  const change = useMutation({
    mutationKey: [USERS],
    mutationFn: ({ action, user, duration }: UserChange) => changeUser(clients(), user.id, action, duration),
    onSuccess: (_, { action, user }) => {
      say(userActions[action].done(nameOf(user)));
      if (user.id !== callerId || (action !== 'withdraw_admin' && action !== 'make_editor')) return;
      forgetRole();
      location.replace(action === 'make_editor' ? href('/admin') : href('/'));
    },
    onError: (error) => complain(reasonOf(error, words.failedToChange)),
    onSettled: () => usersChanged(cache),
  });
  const pending = useMutationState({
    filters: { mutationKey: [USERS], status: 'pending' },
    select: ({ state }) => (state.variables as UserChange).user.id,
  });
  return { change: change.mutate, pending };
}
