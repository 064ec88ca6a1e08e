import type { Connection } from '../database/database.ts';
import { headersForSql, runAsCaller } from '../database/run-as-caller.ts';
import { BadToken, type Caller, callerOf } from '../http/caller.ts';
import type { Request } from './context.ts';
import { errors } from './errors.ts';

const MESSAGES: Partial<Record<BadToken['problem'], string>> = {
  expired: 'jwt expired',
  signature: 'invalid signature',
  parts: 'Invalid Compact JWS',
  empty: 'Invalid Compact JWS',
};

/** @throws StorageError 400 without a credential, 403 for an invalid one */
export async function authenticate(c: Request): Promise<Caller> {
  if (!c.req.header('authorization') && !c.req.header('apikey')) throw errors.missingAuthorization();
  try {
    return await callerOf(c.req.raw.headers, c.var.storage.keys, c.var.storage.issuer);
  } catch (error) {
    if (error instanceof BadToken) throw errors.accessDenied(MESSAGES[error.problem] ?? error.message);
    throw error;
  }
}

type Work<T> = (tx: Connection) => Promise<T>;

export function runForRequest<T>(c: Request, caller: Caller, work: Work<T>, readOnly = false): Promise<T> {
  const headers = headersForSql(c.req.raw.headers, c.env.address);
  const request = { method: c.req.method, path: c.req.path.slice('/storage/v1'.length), headers, origin: c.env };
  return runAsCaller(c.var.storage.db, caller, request, work, { readOnly });
}

export const readForRequest = <T>(c: Request, caller: Caller, work: Work<T>): Promise<T> =>
  runForRequest(c, caller, work, true);

/** @returns the caller @throws AccessDenied when the session has ended or its user is deleted */
export const requireSession = (c: Request, caller: Caller) => readForRequest(c, caller, async () => caller);

/** Runs `work` and rolls it back: checks whether the policies would allow it. */
export async function dryRun(c: Request, caller: Caller, work: Work<unknown>): Promise<void> {
  const rolledBack = Symbol('rolled back');
  try {
    await runForRequest(c, caller, async (tx) => {
      await work(tx);
      throw rolledBack;
    });
  } catch (outcome) {
    if (outcome !== rolledBack) throw outcome;
  }
}
