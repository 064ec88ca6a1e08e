import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientInfo } from '../http/client-info.ts';

export interface FunctionHost {
  /** Whether e-mail can be delivered, and since when the oldest waits. Sends nothing. */
  mail(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  captcha(): Promise<'off' | 'works' | 'refused' | 'away'>;
  storageHasRoom(): Promise<boolean>;
  /** State of the backup archives; `mayHaveNone` when the installation may be backed up in another way. */
  archives(): Promise<{ wholeFrom: string | null; failedAt: string | null; mayHaveNone: boolean }>;
  /**
   * Exports everything except credentials as an archive, or returns why not. `about` is the expected size in bytes.
   * @param signal aborted when the client disconnects
   */
  downloadArchive(
    signal: AbortSignal,
  ): Promise<{ bytes: ReadableStream<Uint8Array>; about: number } | 'another' | 'full' | 'failed'>;
}

export interface FunctionContext {
  supabaseUrl: string;
  /** Secret: never return it. */
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Sets the user that later service-key requests are audited as. Missing on hosted Supabase. */
  actFor?(caller: NonNullable<ClientInfo['onBehalfOf']>): void;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
  host?: FunctionHost;
}

export type FunctionHandler = (request: Request, context: FunctionContext) => Promise<Response>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** Default export of `functions/NAME/handler.ts`; null when missing. @throws Error when the file cannot be run */
export async function loadFunction(projectFolder: string, name: string): Promise<FunctionHandler | null> {
  if (!NAME.test(name)) return null;
  const file = join(projectFolder, 'functions', name, 'handler.ts');
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return null;
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown };
  if (typeof module.default !== 'function') throw new Error(`${file} has no default export that is a function`);
  return module.default as FunctionHandler;
}
