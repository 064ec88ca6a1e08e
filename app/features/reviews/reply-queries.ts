import { type QueryClient, useQuery } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { useWrite } from '#session/use-write.ts';
import { deleteReply, listReplies, type ReplyFields, saveReply } from './model/reply-templates.ts';

const REPLIES = ['replies'];
const repliesChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: REPLIES });

/** Another admin may have added one in the meantime. */
export const useReplies = () =>
  useQuery({ queryKey: REPLIES, queryFn: () => listReplies(clients().data()), staleTime: 0 });

export const useSaveReply = () =>
  useWrite(
    (data, { id, fields }: { id: string | null; fields: ReplyFields }) => saveReply(data, fields, id),
    repliesChanged,
  );

export const useDeleteReply = () => useWrite(deleteReply, repliesChanged);
