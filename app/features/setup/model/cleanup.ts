import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from '#lib/data/api-error.ts';
import { withRetry } from '#lib/data/retry.ts';
import { answered, readOne } from '#lib/data/rows.ts';
import { messages } from '#lib/words/messages.ts';

export const CLEANUP_STEPS = ['project_media', 'case_study_metadata', 'project_members', 'projects'] as const;
export type CleanupStep = (typeof CLEANUP_STEPS)[number];

export interface CleanupOverview {
  may_wipe_until: string | null;
  kept_days: number;
  rows: Record<CleanupStep, number>;
  cleanups: PastCleanup[];
}

export interface PastCleanup {
  id: string;
  began_at: string;
  /** Email address; null when the account was deleted. */
  began_by: string | null;
  kept_until: string;
  projects: number;
  belongings: number;
  /** Whether restoring has started; `projects` and `belongings` then count the remaining rows. */
  restoring: boolean;
  /** Number of restored case studies; null before restoring has started. */
  restored: number;
  found: number | null;
}

export type Restoring = { restored: number; left: number; found: number };

export type CleanupOutcome = { deleted: Record<CleanupStep, number>; kept_until: string; warning: string | null };

type OnProgress = (step: CleanupStep, deleted: number, over: boolean) => void;

const NAMES: Record<CleanupStep, string> = {
  project_media: 'media',
  case_study_metadata: 'metadata',
  project_members: 'members',
  projects: 'projects',
};

/** Counts of rows that a cleanup would delete or that can be restored; null for non-admins. */
export async function readCleanupOverview(data: PostgrestClient): Promise<CleanupOverview | null> {
  const { admin, ...overview } = await readOne<CleanupOverview & { admin: boolean }>(data.rpc('cleanup_overview'));
  return admin ? overview : null;
}

/**
 * Deletes in batches because of the statement timeout, with the caller's own rights.
 * @param onProgress rows that a step has deleted so far, and whether it is over
 * @throws ApiError when refused, PT403 when the sign-in is too long ago; Error when a failed step stops the rest
 */
export async function deleteAllCaseStudies(data: PostgrestClient, onProgress: OnProgress): Promise<CleanupOutcome> {
  // The server records the start, so that all following deletions can be undone together.
  const { kept_until } = await readOne<{ kept_until: string }>(data.rpc('begin_cleanup'));
  const none = { project_media: 0, case_study_metadata: 0, project_members: 0, projects: 0 };
  const outcome: CleanupOutcome = { deleted: none, kept_until, warning: null };
  for (const step of CLEANUP_STEPS) {
    onProgress(step, 0, false);
    const error = await emptyTable(data, step, (deleted) => {
      outcome.deleted[step] = deleted;
      onProgress(step, deleted, false);
    });
    const failure = error && `Error deleting ${NAMES[step]}: ${reasonIn(error.message)}`;
    if (failure && step !== 'project_members') throw new Error(failure);
    outcome.warning ??= failure;
    onProgress(step, outcome.deleted[step], true);
  }
  return outcome;
}

const QUERY_CANCELED = '57014';
const MAX_BATCH_ROWS = 1000;

async function emptyTable(data: PostgrestClient, table: CleanupStep, onPortion: (deleted: number) => void) {
  let size = 200;
  let deleted = 0;
  for (;;) {
    const last = size - 1;
    const ends = await retryCall(() => data.from(table).select('id').order('id').range(last, last).maybeSingle());
    if (ends.error) return ends.error;
    const startedAt = performance.now();
    const { error, count } = await retryCall(() => {
      const all = data.from(table).delete({ count: 'exact' }).not('id', 'is', null);
      return ends.data ? all.lte('id', ends.data.id) : all;
    });
    if (error?.code === QUERY_CANCELED && size > 1) {
      size = Math.ceil(size / 4);
      continue;
    }
    if (error) return error;
    deleted += count ?? 0;
    onPortion(deleted);
    if (!ends.data) return null;
    const duration = performance.now() - startedAt;
    if (duration < 250) size = Math.min(size * 2, MAX_BATCH_ROWS);
    else if (duration > 1000) size = Math.ceil(size / 2);
  }
}

/** Delays for a busy server; together longer than any of its rate limits. */
const RETRY_DELAYS_MS = [1, 2, 4, 8, 15, 30, 30, 30].map((seconds) => seconds * 1000);

/** Retries with growing delays while the server is busy. */
const retryCall = <Answer extends { status: number }>(ask: () => PromiseLike<Answer>): Promise<Answer> =>
  withRetry(ask, RETRY_DELAYS_MS, { answer: ({ status }) => status === 429 || status === 503 });

const reasonIn = (message: string) => new ApiError(message).reason || messages.unknownError;

const ALREADY_RESTORED = 'PT409';

/** Resumable. @returns restored case studies, including earlier runs. @throws ApiError also when restored or expired */
export async function restoreCleanup(data: PostgrestClient, id: string, onPortion?: (state: Restoring) => void) {
  let state: Restoring | null = null;
  for (;;) {
    const answer = await retryCall(() => data.rpc('restore_cleanup', { cleanup_id: id }));
    if (answer.error?.code === ALREADY_RESTORED && state) return state.restored + state.left;
    state = answered(answer).data as Restoring;
    onPortion?.(state);
    if (state.left === 0) return state.restored;
  }
}
