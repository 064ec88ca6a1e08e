import { useQueries, useQuery } from '@tanstack/react-query';
import { fileProject } from '#features/projects/model/write.ts';
import { projectsChanged, REVIEWS, reviewsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import type { InboxFilter, InboxQuestion, SubmissionReview } from './model/review.ts';
import {
  addNote,
  answer,
  countSubmissions,
  countText,
  findOldestWaiting,
  findSubmission,
  listAdmins,
  mailDraftLink,
  readInbox,
  removeNote,
  tickCheck,
} from './model/review.ts';

const fresh = { staleTime: 60_000 };

export const useInbox = (page: number, question: InboxQuestion) =>
  useRead([REVIEWS, 'inbox', question, page], (data) => readInbox(data, page, question), { ...fresh, ...keepsShown });

const countQuery = (question: InboxQuestion) => ({
  queryKey: [REVIEWS, 'count', question],
  queryFn: () => countSubmissions(clients().data(), question),
  ...fresh,
});

export const useCount = (show: InboxFilter) => useQuery(countQuery({ show, of: null }));

export const useCounts = (questions: readonly InboxQuestion[]): string[] =>
  useQueries({ queries: questions.map(countQuery) }).map(({ data }) => (data?.reviews ? countText(data) : ''));

export const useOldestWaiting = () => useRead([REVIEWS, 'oldest'], findOldestWaiting, fresh);
export const useAdmins = () => useRead([REVIEWS, 'admins'], listAdmins, fresh);

const readingKey = (id: string) => [REVIEWS, 'reading', id];

/** Never cached, because an answer must refer to the version on screen, which must not move below the pointer. */
export const useReading = (id: string) => useRead(readingKey(id), (data) => findSubmission(data, id), { gcTime: 0 });

type Answer = Omit<Parameters<typeof answer>[1], 'id' | 'seen'>;

export const useAnswer = ({ experiment: { id }, seen }: SubmissionReview) =>
  useWrite((data, given: Answer) => answer(data, { ...given, id, seen }), projectsChanged);

export const useFile = (id: string) =>
  useWrite((data, filed: Parameters<typeof fileProject>[2]) => fileProject(data, id, filed), projectsChanged);

export const useAddNote = (id: string) => useWrite((data, body: string) => addNote(data, id, body), reviewsChanged);
export const useRemoveNote = () => useWrite(removeNote, reviewsChanged);
export const useMailLink = (id: string) => useWrite((data) => mailDraftLink(data, id), reviewsChanged);

export const useTick = (id: string) =>
  useWrite((data, ticks: Parameters<typeof tickCheck>[2]) => tickCheck(data, id, ticks), reviewsChanged, {
    queryKey: readingKey(id),
    change: (reading: SubmissionReview, ticks) => ({ ...reading, review: { ...reading.review, ...ticks } }),
  });
