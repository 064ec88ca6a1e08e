import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import { affected, one, rows } from '../data/rows.ts';

/** One of the links that open a draft. Its secret is told once, when it is made. */
export interface DraftLink {
  id: string;
  name: string;
  made_by: 'submitter' | 'admin' | 'mail';
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_opened_at: string | null;
  /** The caller came by it. */
  in_use: boolean;
}

/** Oldest first; nothing for who may not see them. @throws ApiError */
export async function findDraftLinks(data: PostgrestClient, id: string): Promise<DraftLink[]> {
  return rows(data.rpc('draft_links', { p_project: id }));
}

/**
 * @param until last day, `YYYY-MM-DD`
 * @returns the secret, which stands nowhere else
 * @throws ApiError
 */
export async function makeDraftLink(data: PostgrestClient, id: string, name: string, until: string): Promise<string> {
  const { secret } = await one<{ secret: string }>(
    data.rpc('make_draft_link', { p_project: id, p_name: name, p_until: endOf(until) }),
  );
  return secret;
}

/** @param until last day, `YYYY-MM-DD`. @throws ApiError */
export async function changeDraftLink(data: PostgrestClient, link: string, name: string, until: string): Promise<void> {
  await affected(data.rpc('change_draft_link', { p_link: link, p_name: name, p_until: endOf(until) }));
}

/** Takes a link back, for good. @throws ApiError */
export async function revokeDraftLink(data: PostgrestClient, link: string): Promise<void> {
  await affected(data.rpc('revoke_draft_link', { p_link: link }));
}

/** Notes that the draft was opened by the link whose secret the client carries. @throws ApiError */
export async function noteOpened(data: PostgrestClient): Promise<void> {
  await affected(data.rpc('draft_opened'));
}

/** Puts a guest's draft into the account of a caller who also carries its secret. @throws ApiError */
export async function claimDraft(data: PostgrestClient, id: string): Promise<void> {
  await affected(data.rpc('claim_draft', { p_project: id }));
}

/** A day as people choose it ends when it is over wherever on earth they are. */
const endOf = (day: string): string => `${day}T23:59:59-12:00`;

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** The last day of a link as people chose it, `YYYY-MM-DD`. */
export const lastDayOf = ({ expires_at }: Pick<DraftLink, 'expires_at'>): string =>
  new Date(Date.parse(expires_at) - 12 * HOUR_MS).toISOString().slice(0, 10);

/** The day so many days from now, `YYYY-MM-DD`. */
export const dayIn = (days: number, now = Date.now()): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);

export type LinkState = 'open' | 'over' | 'revoked';

export const linkStateOf = ({ revoked_at, expires_at }: DraftLink, now = Date.now()): LinkState =>
  revoked_at ? 'revoked' : Date.parse(expires_at) <= now ? 'over' : 'open';

/** The address that opens a draft. */
export const draftAddress = (origin: string, id: string, secret: string): string =>
  `${origin}${href('/case-studies/:id/:slug?', { id })}?draft=${secret}`;
