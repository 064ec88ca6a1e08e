import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from './caller.ts';

/** A request that is watched, for whatever is logged or asked of others while it is answered. */
export interface CurrentRequest {
  /** In every log line of it. */
  id: string;
  /** The caller's own, checked (https://www.w3.org/TR/trace-context/); null when there was none. */
  traceparent: string | null;
  /** As whom it was made; null until a service has found out. */
  role: Role | null;
}

/** Empty unless requests are watched: then nothing of this costs anything. */
export const currentRequest = new AsyncLocalStorage<CurrentRequest>();

/** What a log line says of the request that it is about. */
export function requestFields({ id, traceparent }: Partial<CurrentRequest> = currentRequest.getStore() ?? {}) {
  return { ...(id ? { request: id } : {}), ...(traceparent ? { traceparent } : {}) };
}
