/** The parts of our own backend that no service tells of. */
export interface FunctionHost {
  /** Whether mails would be taken now, and since when the oldest waits. Nothing is sent. */
  mail(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  captcha(): Promise<'off' | 'works' | 'refused' | 'away'>;
  storageHasRoom(): Promise<boolean>;
  /** How the archives are that this house was backed up in; `mayHaveNone` when it may be backed up in another way. */
  archives(): Promise<{ wholeFrom: string | null; failedAt: string | null; mayHaveNone: boolean }>;
  /**
   * Everything as an archive, without what proves who somebody is, or why not. `about` are the bytes to expect.
   * @param gone when no request waits for it any more
   */
  takeAway(
    gone: AbortSignal,
  ): Promise<{ bytes: ReadableStream<Uint8Array>; about: number } | 'another' | 'full' | 'failed'>;
}

/** What a function is handed besides the request. Our own backend fills it in process; on hosted Supabase `index.ts` does. */
export interface Context {
  supabaseUrl: string;
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Names the function's caller: what it does with the service key from here on is recorded as theirs. Missing on hosted Supabase. */
  actFor?(caller: { id: string | null; kind: string }): void;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
  /** What only our own backend can say of itself; missing on hosted Supabase. */
  house?: FunctionHost;
}
