import type { Context } from 'hono';
import { DatabaseError, DatabaseTimeExceeded, DatabaseUnavailable, DISK_FULL } from '../database/database.ts';
import type { Env } from './context.ts';
import { errors, StorageError } from './errors.ts';
import { StoreUnavailable } from './store.ts';

export function respondWithError(error: Error, c: Context<Env>): Response {
  const storageError = toStorageError(error);
  if (storageError.statusCode >= 500 && storageError.statusCode !== 507)
    c.var.storage.log.error({ err: error, request: c.env?.id }, 'storage failed');
  if (storageError.retryAfter !== null) c.header('retry-after', String(storageError.retryAfter));
  c.header('cache-control', 'no-store');
  return c.json(storageError.body, storageError.httpStatus);
}

/** Maps any failure to a client error. Details of the database, the disk and the code never reach the client. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof DatabaseTimeExceeded) return errors.databaseTimeExceeded(error.seconds);
  if (error instanceof DatabaseUnavailable) return errors.unavailable();
  if (error instanceof DatabaseError) return fromDatabaseError(error);
  if (error instanceof StoreUnavailable) return errors.storeUnavailable();
  if ((error as NodeJS.ErrnoException | null)?.code === 'ENOSPC') return errors.insufficientStorage();
  return errors.internal();
}

function fromDatabaseError({ code, message, constraint }: DatabaseError): StorageError {
  if (code === '42501') return errors.accessDenied();
  if (code === '23505') return errors.alreadyExists(constraint?.startsWith('buckets_') ? 'Bucket' : 'Key');
  if (code === '23503') return errors.noSuchBucket();
  if (code === 'PT401') return errors.accessDenied(message);
  if (code === DISK_FULL) return errors.insufficientStorage();
  if (code === '57014') return errors.unavailable();
  return /^(22|23|P0001)/.test(code) ? errors.invalidRequest('The request is not valid') : errors.internal();
}
