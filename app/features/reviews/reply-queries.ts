import type { QueryClient } from '@tanstack/react-query';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { deleteReply, listReplies, type ReplyFields, saveReply } from './model/reply-templates.ts';

const REPLIES = ['replies'];
const repliesChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: REPLIES });

/** Another admin may have added one in the meantime. */
export const useReplies = () => useRead(REPLIES, listReplies);

export const useSaveReply = () =>
  useWrite(
    (data, { id, fields }: { id: string | null; fields: ReplyFields }) => saveReply(data, fields, id),
    repliesChanged,
  );

export const useDeleteReply = () => useWrite(deleteReply, repliesChanged);
