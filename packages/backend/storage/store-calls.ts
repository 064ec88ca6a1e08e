import { channel } from 'node:diagnostics_channel';

export interface StoreCall {
  operation: 'put' | 'get' | 'head' | 'delete' | 'list' | 'copy';
  /** `away`: no response, or 5xx after the last try; `refused`: not tried because of a recent failure. */
  result: 'ok' | 'missing' | 'denied' | 'away' | 'refused';
  ms: number;
}

/** Publishes every network call to the object store; free without subscribers. */
export const storeCalls = channel('madhouse:store-call');
