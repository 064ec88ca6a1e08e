import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import {
  countUnhandled,
  deleteMessage,
  findEnquiry,
  readMessages,
  setHandled,
  startProject,
} from './model/contact-messages.ts';

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

export const useSetHandled = () =>
  useWrite(
    (data, { id, handled }: { id: string; handled: boolean }) => setHandled(data, id, handled),
    invalidateMessages,
  );

export const messagesAndProjectsChanged = (cache: QueryClient) =>
  Promise.all([invalidateMessages(cache), projectsChanged(cache)]);

export const useStartProject = () => useWrite(startProject, messagesAndProjectsChanged);

export const useEnquiry = (project: string) => useRead([MESSAGES, 'of', project], (data) => findEnquiry(data, project));

export const useDeleteMessage = () => useWrite(deleteMessage, invalidateMessages);
