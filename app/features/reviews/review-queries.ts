import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { findDraftLinks } from '#features/drafts/model/draft-links.ts';
import { fileProject } from '#features/projects/model/write.ts';
import { projectsChanged, REVIEWS, reviewsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import {
  addNote,
  answer,
  countSubmissions,
  findNextWaiting,
  findOldestWaiting,
  findSubmission,
  type InboxQuestion,
  listDesks,
  mailDraftLink,
  type ReviewAnswer,
  readInbox,
  removeNote,
  type Shown,
  type SubmissionReview,
  tick,
} from './model/review.ts';

const FRESH_MS = 60_000;

export const useInbox = (page: number, question: InboxQuestion) =>
  useQuery({
    queryKey: [REVIEWS, 'inbox', question, page],
    queryFn: () => readInbox(clients().data(), page, question),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const useCount = (show: Shown | null, of: string | null = null) =>
  useQuery({
    queryKey: [REVIEWS, 'count', show, of],
    queryFn: () => countSubmissions(clients().data(), { show, of }),
    staleTime: FRESH_MS,
  });

export const useOldestWaiting = () =>
  useQuery({
    queryKey: [REVIEWS, 'oldest'],
    queryFn: () => findOldestWaiting(clients().data()),
    staleTime: FRESH_MS,
  });

export const useDesks = () =>
  useQuery({ queryKey: [REVIEWS, 'desks'], queryFn: () => listDesks(clients().data()), staleTime: FRESH_MS });

const readingKey = (id: string) => [REVIEWS, 'reading', id];

/** Never cached: an answer must refer to what was read. */
export const useReading = (id: string) =>
  useQuery({ queryKey: readingKey(id), queryFn: () => findSubmission(clients().data(), id), staleTime: 0 });

export const useLinks = (id: string) =>
  useQuery({ queryKey: [REVIEWS, 'links', id], queryFn: () => findDraftLinks(clients().data(), id), staleTime: 0 });

export function useReadAgain() {
  const cache = useQueryClient();
  return () => reviewsChanged(cache);
}

export function useAnswer(reading: SubmissionReview) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (given: { what: ReviewAnswer; words: string; mail: boolean }) =>
      answer(clients().data(), { ...given, id: reading.experiment.id, seen: reading.seen }),
    // Also after an error, which means that something has changed.
    onSettled: () => projectsChanged(cache),
  });
}

export const findNext = (answered: string, of: string | null) => findNextWaiting(clients().data(), answered, of);

type Ticks = Parameters<typeof tick>[2];

export function useTick(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ticks: Ticks) => tick(clients().data(), id, ticks),
    // Optimistic; reverts when the server refuses.
    async onMutate(ticks) {
      // An earlier response must not overwrite the change.
      await cache.cancelQueries({ queryKey: readingKey(id) });
      const before = cache.getQueryData<SubmissionReview | null>(readingKey(id));
      cache.setQueryData<SubmissionReview | null>(
        readingKey(id),
        (reading) => reading && { ...reading, review: { ...reading.review, ...ticks } },
      );
      return before;
    },
    onError: (_error, _ticks, before) => cache.setQueryData(readingKey(id), before),
    onSettled: () => reviewsChanged(cache),
  });
}

export function useFile(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (filed: Parameters<typeof fileProject>[2]) => fileProject(clients().data(), id, filed),
    onSuccess: () => projectsChanged(cache),
  });
}

export function useAddNote(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: string) => addNote(clients().data(), id, body),
    onSuccess: () => cache.invalidateQueries({ queryKey: readingKey(id) }),
  });
}

export function useRemoveNote(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => removeNote(clients().data(), note),
    onSuccess: () => cache.invalidateQueries({ queryKey: readingKey(id) }),
  });
}

export function useMailLink(id: string) {
  const cache = useQueryClient();
  return useMutation({ mutationFn: () => mailDraftLink(clients().data(), id), onSuccess: () => reviewsChanged(cache) });
}
