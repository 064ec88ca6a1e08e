import type { QueryClient } from '@tanstack/react-query';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { countUnhandled, readMessages } from './model/contact-messages.ts';

const MESSAGES = 'messages';

export const useMessages = (question: Parameters<typeof readMessages>[1]) =>
  useRead([MESSAGES, question], (data) => readMessages(data, question), keepsShown);

export const useUnhandled = () => useRead([MESSAGES, 'unhandled'], countUnhandled, { staleTime: 60_000 });

export const messagesChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [MESSAGES] });

export const messagesAndProjectsChanged = (cache: QueryClient) =>
  Promise.all([messagesChanged(cache), projectsChanged(cache)]);
