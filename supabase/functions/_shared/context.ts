export interface FunctionHost {
  /** Whether e-mail can be delivered, and since when the oldest waits. Sends nothing. */
  mail(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  captcha(): Promise<'off' | 'works' | 'refused' | 'away'>;
  storageHasRoom(): Promise<boolean>;
  /** State of the backup archives; `mayHaveNone` when the installation may be backed up in another way. */
  archives(): Promise<{ wholeFrom: string | null; failedAt: string | null; mayHaveNone: boolean }>;
  /**
   * Exports everything except credentials as an archive, or returns why not. `about` is the expected size in bytes.
   * @param gone aborted when the client disconnects
   */
  takeAway(
    gone: AbortSignal,
  ): Promise<{ bytes: ReadableStream<Uint8Array>; about: number } | 'another' | 'full' | 'failed'>;
}

export interface Context {
  supabaseUrl: string;
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Sets the user that later service-key requests are audited as. Missing on hosted Supabase. */
  actFor?(caller: { id: string | null; kind: string }): void;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
  house?: FunctionHost;
}
