import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { countUnhandled, deleteMessage, readMessages, setHandled } from './model/contact-messages.ts';

const MESSAGES = 'messages';

const FRESH_MS = 60_000;

export const useMessages = (page: number) =>
  useQuery({
    queryKey: [MESSAGES, 'page', page],
    queryFn: () => readMessages(clients().data(), page),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const useUnhandled = () =>
  useQuery({
    queryKey: [MESSAGES, 'unhandled'],
    queryFn: () => countUnhandled(clients().data()),
    staleTime: FRESH_MS,
  });

const invalidateMessages = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [MESSAGES] });

export function useSetHandled() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, handled }: { id: string; handled: boolean }) => setHandled(clients().data(), id, handled),
    onSuccess: () => invalidateMessages(cache),
  });
}

export function useDeleteMessage() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => deleteMessage(clients().data(), id),
    onSuccess: () => invalidateMessages(cache),
  });
}
