import { channel } from 'node:diagnostics_channel';

/** One call to the store of bytes, when it is over. */
export interface StoreCall {
  operation: 'put' | 'get' | 'head' | 'delete' | 'list' | 'copy';
  /** `away`: no answer, or 5xx after the last try; `refused`: not even tried, as it was away just now. */
  result: 'ok' | 'missing' | 'denied' | 'away' | 'refused';
  ms: number;
}

/** Told of every call over the network to the store; whoever counts them listens. Costs nothing while nobody does. */
export const storeCalls = channel('madhouse:store-call');
