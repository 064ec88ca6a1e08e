import { createHash, randomBytes } from 'node:crypto';
import { anonymous, type Caller, service } from '../../packages/backend/http/caller.ts';

/** A caller of the database with claims and headers. */
export interface Actor {
  caller: Caller;
  headers?: Record<string, string>;
}

export const userActor = (userId: string, sessionId: string | null = null): Actor => {
  const claims = { role: 'authenticated' as const, sub: userId, ...(sessionId && { session_id: sessionId }) };
  return { caller: { role: 'authenticated', claims, userId, sessionId } };
};

export const ids = {
  admin: 'a1a1a1a1-0000-4000-8000-000000000001',
  creator: 'c1c1c1c1-0000-4000-8000-000000000001',
  otherUser: '51515151-0000-4000-8000-000000000001',
  unconfirmed: '0c0c0c0c-0000-4000-8000-000000000001',
  guest: '00000000-0000-4000-8000-000000000001',
  /** Sessions of the admin: a new one, and one of eleven minutes. */
  freshSession: 'e0000000-0000-4000-8000-000000000001',
  staleSession: 'e0000000-0000-4000-8000-000000000002',
  nil: '00000000-0000-0000-0000-000000000000',
  published: 'b0000000-0000-4000-8000-000000000001',
  archived: 'b0000000-0000-4000-8000-000000000002',
  draft: 'b0000000-0000-4000-8000-000000000003',
  otherUsersDraft: 'b0000000-0000-4000-8000-000000000004',
  guestsDraft: 'b0000000-0000-4000-8000-000000000005',
  staleDraft: 'b0000000-0000-4000-8000-000000000006',
  missing: 'b0000000-0000-4000-8000-00000000dead',
};

export const secretOf = { guestsDraft: 'g'.repeat(43), staleDraft: '5'.repeat(64) };

export const newSecret = () => randomBytes(32).toString('base64url');
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const guest: Actor = { caller: anonymous };
const withHeader =
  (name: string) =>
  (value: string, actor = guest): Actor => ({ ...actor, headers: { ...actor.headers, [name]: value } });
export const withSecret = withHeader('x-draft-secret');
export const withSetupKey = withHeader('x-setup-key');
/** The holder of the link to a draft. */
export const holderOf = (draft: keyof typeof secretOf, actor = guest) => withSecret(secretOf[draft], actor);
export const submitter = holderOf('guestsDraft');
export const otherUser = userActor(ids.otherUser);
export const creator = userActor(ids.creator);
export const admin = userActor(ids.admin, ids.freshSession);
/** The admin with a sign-in too old for a wipe. */
export const staleAdmin = userActor(ids.admin, ids.staleSession);
export const sessionlessAdmin = userActor(ids.admin);
export const theService: Actor = { caller: service };
