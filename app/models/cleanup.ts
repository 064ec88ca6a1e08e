import type { PostgrestClient } from '@supabase/postgrest-js';
import { cleanupWords as words } from '../copy/cleanup.ts';
import { messages } from '../copy/messages.ts';
import { ApiError } from './api-error.ts';

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
  const { data: answer, error } = await data.rpc('cleanup_overview');
  if (error) throw new ApiError(error.message, error.code);
  const { admin, ...overview } = answer as CleanupOverview & { admin: boolean };
  return admin ? overview : null;
}

/**
 * Deletes all case studies, table after table, with the caller's own rights.
 * @param onStep hears how many rows each step deleted; null when it begins
 * @throws CleanupError when the server refuses, or a step fails that stops the rest
 */
export async function deleteAllCaseStudies(
  data: PostgrestClient,
  onStep: (step: CleanupStep, deleted: number | null) => void,
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
    const { error, count } = await data.from(step).delete({ count: 'exact' }).not('id', 'is', null);
    const failure = error && words.errors[step](reasonIn(error.message));
    if (failure && step !== 'project_members') throw new CleanupError(failure, step);
    outcome.warning ??= failure;
    outcome.deleted[step] = count ?? 0;
    onStep(step, outcome.deleted[step]);
  }
  return outcome;
}

const reasonIn = (message: string) => new ApiError(message).reason || messages.unknownError;

/**
 * Brings back what a cleanup deleted.
 * @returns how many case studies came back
 * @throws ApiError when it was brought back already or its time is over
 */
export async function restoreCleanup(data: PostgrestClient, id: string): Promise<number> {
  const { data: restored, error } = await data.rpc('restore_cleanup', { cleanup_id: id });
  if (error) throw new ApiError(error.message, error.code);
  return restored as number;
}
