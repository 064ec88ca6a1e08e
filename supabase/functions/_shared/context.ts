export interface FunctionHost {
  mail(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  captcha(): Promise<'off' | 'works' | 'refused' | 'away'>;
  storageHasRoom(): Promise<boolean>;
  archives(): Promise<{ wholeFrom: string | null; failedAt: string | null; mayHaveNone: boolean }>;
  downloadArchive(
    gone: AbortSignal,
  ): Promise<{ bytes: ReadableStream<Uint8Array>; about: number } | 'another' | 'full' | 'failed'>;
  webhookSecret(webhook: string, number: number): string;
}

export interface Context {
  supabaseUrl: string;
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  actFor?(caller: { id: string | null; kind: string }): void;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
  host?: FunctionHost;
}
