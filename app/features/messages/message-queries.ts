import type { QueryClient } from '@tanstack/react-query';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { countUnhandled, deleteMessage, readMessages, setHandled, startProject } from './model/contact-messages.ts';

const MESSAGES = 'messages';
const FRESH_MS = 60_000;

export const useMessages = (question: Parameters<typeof readMessages>[1]) =>
  useRead([MESSAGES, question], (data) => readMessages(data, question), {
    staleTime: FRESH_MS,
    ...keepsShown,
  });

export const useUnhandled = () => useRead([MESSAGES, 'unhandled'], countUnhandled, { staleTime: FRESH_MS });

const invalidateMessages = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [MESSAGES] });

export const useSetHandled = () => useWrite(setHandled, invalidateMessages);

export const messagesAndProjectsChanged = (cache: QueryClient) =>
  Promise.all([invalidateMessages(cache), projectsChanged(cache)]);

export const useStartProject = () => useWrite(startProject, messagesAndProjectsChanged);

export const useDeleteMessage = () => useWrite(deleteMessage, invalidateMessages);
