import type { PostgrestClient } from '@supabase/postgrest-js';
import { cleanupWords as words } from '../../copy/admin/cleanup.ts';
import { messages } from '../../copy/messages.ts';
import { ApiError } from '../data/api-error.ts';
import { withRetry } from '../data/retry.ts';
import { answered, one } from '../data/rows.ts';

/** The tables a cleanup empties, in its order. */
export const CLEANUP_STEPS = ['project_media', 'case_study_metadata', 'project_members', 'projects'] as const;
export type CleanupStep = (typeof CLEANUP_STEPS)[number];

/** What only an admin is told. */
export interface CleanupOverview {
  /** When this sign-in is too old to wipe; null for a token of no session. */
  may_wipe_until: string | null;
  kept_days: number;
  rows: Record<CleanupStep, number>;
  /** Cleanups that can be undone, newest first. */
  cleanups: PastCleanup[];
}

export interface PastCleanup {
  id: string;
  began_at: string;
  /** E-mail address; null when the account is gone. */
  began_by: string | null;
  kept_until: string;
  projects: number;
  /** Media, texts and team entries. */
  belongings: number;
  /** Whether bringing it back has begun; `projects` and `belongings` are then what is left. */
  restoring: boolean;
  /** Case studies that are back, of those it had taken something of (null before bringing back has begun). */
  restored: number;
  found: number | null;
}

/** How far bringing back has come, in case studies. */
export interface Restoring {
  restored: number;
  left: number;
  found: number;
}

export interface CleanupOutcome {
  deleted: Record<CleanupStep, number>;
  kept_until: string;
  /** A step that failed without stopping the others. */
  warning: string | null;
}

/** A cleanup that stopped: before its first step, or in one of them. */
export class CleanupError extends Error {
  override readonly name = 'CleanupError';
  /** Where it stopped; null when the server let it not begin. */
  readonly step: CleanupStep | null;
  readonly needsNewSignIn: boolean;

  constructor(message: string, step: CleanupStep | null, needsNewSignIn = false) {
    super(message);
    this.step = step;
    this.needsNewSignIn = needsNewSignIn;
  }
}

const SIGNED_IN_TOO_LONG_AGO = 'PT403';

/** What a cleanup would delete, and what can be brought back; null for anybody but an admin. */
export async function readCleanupOverview(data: PostgrestClient): Promise<CleanupOverview | null> {
  const { admin, ...overview } = await one<CleanupOverview & { admin: boolean }>(data.rpc('cleanup_overview'));
  return admin ? overview : null;
}

/**
 * Deletes all case studies, table after table, with the caller's own rights: a large table in portions, because one
 * statement has a few seconds.
 * @param onStep hears how many rows each step deleted; null when it begins
 * @param onPortion hears how many rows of a step are deleted so far
 * @throws CleanupError when the server refuses, or a step fails that stops the rest
 */
export async function deleteAllCaseStudies(
  data: PostgrestClient,
  onStep: (step: CleanupStep, deleted: number | null) => void,
  onPortion: (step: CleanupStep, deleted: number) => void = () => {},
): Promise<CleanupOutcome> {
  // The server notes who begins, so that what follows can be undone as one.
  const begun = await data.rpc('begin_cleanup');
  if (begun.error) {
    const { message, code } = begun.error;
    throw new CleanupError(reasonIn(message), null, code === SIGNED_IN_TOO_LONG_AGO);
  }
  const outcome: CleanupOutcome = {
    deleted: { project_media: 0, case_study_metadata: 0, project_members: 0, projects: 0 },
    kept_until: (begun.data as { kept_until: string }).kept_until,
    warning: null,
  };
  for (const step of CLEANUP_STEPS) {
    onStep(step, null);
    const error = await emptyTable(data, step, (deleted) => {
      outcome.deleted[step] = deleted;
      onPortion(step, deleted);
    });
    const failure = error && words.errors[step](reasonIn(error.message));
    if (failure && step !== 'project_members') throw new CleanupError(failure, step);
    outcome.warning ??= failure;
    onStep(step, outcome.deleted[step]);
  }
  return outcome;
}

const TOO_SLOW = '57014';
const LARGEST_PORTION = 1000;

/** Deletes every row, the lowest ids first. @returns what stopped it, or null */
async function emptyTable(
  data: PostgrestClient,
  table: CleanupStep,
  onPortion: (deleted: number) => void,
): Promise<{ message: string } | null> {
  let size = 200;
  let deleted = 0;
  for (;;) {
    const ends = await askAgain(() =>
      data
        .from(table)
        .select('id')
        .order('id')
        .range(size - 1, size - 1)
        .maybeSingle(),
    );
    if (ends.error) return ends.error;
    const began = performance.now();
    const { error, count } = await askAgain(() => {
      const all = data.from(table).delete({ count: 'exact' }).not('id', 'is', null);
      return ends.data ? all.lte('id', ends.data.id) : all;
    });
    if (error?.code === TOO_SLOW && size > 1) {
      size = Math.ceil(size / 4);
      continue;
    }
    if (error) return error;
    deleted += count ?? 0;
    onPortion(deleted);
    if (!ends.data) return null;
    const took = performance.now() - began;
    if (took < 250) size = Math.min(size * 2, LARGEST_PORTION);
    else if (took > 1000) size = Math.ceil(size / 2);
  }
}

/** Where the server has no time; longer than any limit of its remembers. */
const RETRY_DELAYS_MS = [1, 2, 4, 8, 15, 30, 30, 30].map((seconds) => seconds * 1000);

/** Asks again, later and later, while the server says that it is too much at the moment. */
const askAgain = <Answer extends { status: number }>(ask: () => PromiseLike<Answer>): Promise<Answer> =>
  withRetry(ask, RETRY_DELAYS_MS, { answer: ({ status }) => status === 429 || status === 503 });

const reasonIn = (message: string) => new ApiError(message).reason || messages.unknownError;

const NOTHING_LEFT = 'PT409';

/**
 * Brings back what a cleanup deleted, portion by portion; stopped midway, it goes on where it was.
 * @param onPortion hears how far it has come
 * @returns how many case studies came back, those of earlier tries included
 * @throws ApiError when it was brought back already or its time is over
 */
export async function restoreCleanup(
  data: PostgrestClient,
  id: string,
  onPortion: (state: Restoring) => void = () => {},
): Promise<number> {
  let state: Restoring | null = null;
  for (;;) {
    const answer = await askAgain(() => data.rpc('restore_cleanup', { cleanup_id: id }));
    // Somebody else has brought the last of it.
    if (answer.error?.code === NOTHING_LEFT && state) return state.restored + state.left;
    state = answered(answer).data as Restoring;
    onPortion(state);
    if (state.left === 0) return state.restored;
  }
}
