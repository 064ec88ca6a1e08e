import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { deleteReply, listReplies, type ReplyFields, saveReply } from './model/reply-templates.ts';

const REPLIES = ['replies'];

/** Another admin may have added one in the meantime. */
export const useReplies = () =>
  useQuery({ queryKey: REPLIES, queryFn: () => listReplies(clients().data()), staleTime: 0 });

function useReplyWrite<Input>(write: (input: Input) => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn: write, onSettled: () => cache.invalidateQueries({ queryKey: REPLIES }) });
}

export const useSaveReply = () =>
  useReplyWrite(({ id, fields }: { id: string | null; fields: ReplyFields }) =>
    saveReply(clients().data(), fields, id),
  );

export const useDeleteReply = () => useReplyWrite((id: string) => deleteReply(clients().data(), id));
