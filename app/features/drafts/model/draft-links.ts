import { href } from 'react-router';
import { type DataQuery, readOne, requireChange, rows } from '#lib/data/rows.ts';

/** Client with a session, or with the secret of a draft link. */
export type Procedures = { rpc: (name: string, args?: object) => DataQuery };

/** A link that opens a draft. Its secret is returned only once, on creation. */
export interface DraftLink {
  id: string;
  name: string;
  made_by: 'submitter' | 'admin' | 'mail';
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_opened_at: string | null;
  in_use: boolean;
}

/** Oldest first; empty for callers who may not see them. @throws ApiError */
export const findDraftLinks = (data: Procedures, id: string): Promise<DraftLink[]> =>
  rows(data.rpc('draft_links', { p_project: id }));

/** @param until last day, `YYYY-MM-DD` @returns the secret, which is not stored @throws ApiError */
export async function makeDraftLink(data: Procedures, id: string, name: string, until: string): Promise<string> {
  const link = data.rpc('make_draft_link', { p_project: id, p_name: name, p_until: endOf(until) });
  return (await readOne<{ secret: string }>(link)).secret;
}

/** @param until last day, `YYYY-MM-DD`. @throws ApiError */
export const changeDraftLink = (data: Procedures, link: string, name: string, until: string): Promise<void> =>
  requireChange(data.rpc('change_draft_link', { p_link: link, p_name: name, p_until: endOf(until) }));

export const revokeDraftLink = (data: Procedures, link: string): Promise<void> =>
  requireChange(data.rpc('revoke_draft_link', { p_link: link }));

export const noteOpened = (data: Procedures): Promise<void> => requireChange(data.rpc('draft_opened'));

/** Assigns a guest's draft to the account of a caller who also carries its secret. @throws ApiError */
export const claimDraft = (data: Procedures, id: string) => requireChange(data.rpc('claim_draft', { p_project: id }));

/** A chosen day ends when it is over everywhere on earth (UTC−12). */
const endOf = (day: string): string => `${day}T23:59:59-12:00`;

const HOUR_MS = 3600_000;

export const lastDayOf = ({ expires_at }: Pick<DraftLink, 'expires_at'>): string =>
  new Date(Date.parse(expires_at) - 12 * HOUR_MS).toISOString().slice(0, 10);

export const dayIn = (days: number): string => new Date(Date.now() + days * 24 * HOUR_MS).toISOString().slice(0, 10);

export const linkStateOf = ({ revoked_at, expires_at }: DraftLink) =>
  revoked_at ? 'revoked' : Date.parse(expires_at) <= Date.now() ? 'over' : 'open';

export const draftAddress = (origin: string, id: string, secret: string): string =>
  `${origin}${href('/case-studies/:id/:slug?', { id })}?draft=${secret}`;
