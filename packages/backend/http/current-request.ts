import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from './caller.ts';

export interface CurrentRequest {
  id: string;
  /** Validated header of the client (https://www.w3.org/TR/trace-context/); null when missing. */
  traceparent: string | null;
  role: Role | null;
}

/** Empty unless requests are traced, so that it costs nothing otherwise. */
export const currentRequest = new AsyncLocalStorage<CurrentRequest>();

export const requestFields = ({ id, traceparent }: Partial<CurrentRequest> = currentRequest.getStore() ?? {}) => ({
  ...(id ? { request: id } : {}),
  ...(traceparent ? { traceparent } : {}),
});
