import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { healthQuery } from '#features/setup/health-query.ts';
import type { Health } from '#features/setup/model/health.ts';
import { clients } from '#session/browser.ts';
import { countProjectsOf, giveOrder, type Order, type PeopleQuestion, readPeople, setAdmin } from './model/users.ts';

const USERS = 'users';

const FRESH_MS = 60_000;

export const usePeople = (question: PeopleQuestion) =>
  useQuery({
    queryKey: [USERS, 'page', question],
    queryFn: () => readPeople(clients().functions, clients().data(), question),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

const mailCodeIn = ({ checks }: Health) => checks.find(({ part }) => part === 'mail')?.code;

export function useMailCode(enabled: boolean) {
  const cache = useQueryClient();
  const { data: known } = useQuery({ ...healthQuery, enabled, select: mailCodeIn });
  return { known, find: async () => mailCodeIn(await cache.fetchQuery(healthQuery)) };
}

export const useProjectCount = (id: string | null) =>
  useQuery({
    queryKey: [USERS, 'projects', id],
    queryFn: () => countProjectsOf(clients().data(), id ?? ''),
    enabled: id !== null,
    staleTime: 0,
  });

export function useUserOrder() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (order: Order) => giveOrder(clients().functions, order),
    onSettled: () => cache.invalidateQueries({ queryKey: [USERS] }),
  });
}

export function useSetAdmin() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, is }: { id: string; is: boolean }) => setAdmin(clients().data(), id, is),
    onSettled: () => cache.invalidateQueries({ queryKey: [USERS] }),
  });
}
