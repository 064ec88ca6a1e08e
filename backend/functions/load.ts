import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientInfo } from '../http/client-info.ts';

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

/** What a function is handed besides the request, here and on hosted Supabase alike. */
export interface FunctionContext {
  supabaseUrl: string;
  /** Never in an answer. */
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Names the function's caller: what it does with the service key from here on is recorded as theirs. Missing on hosted Supabase. */
  actFor?(caller: NonNullable<ClientInfo['onBehalfOf']>): void;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
  /** What only our own backend can say of itself; missing on hosted Supabase. */
  house?: FunctionHost;
}

export type FunctionHandler = (request: Request, context: FunctionContext) => Promise<Response>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/**
 * The default export of `functions/NAME/handler.ts` in the project's folder; null when there is none.
 * @throws Error when the file cannot be run
 */
export async function loadFunction(projectFolder: string, name: string): Promise<FunctionHandler | null> {
  if (!NAME.test(name)) return null;
  const file = join(projectFolder, 'functions', name, 'handler.ts');
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (!there) return null;
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown };
  if (typeof module.default !== 'function') throw new Error(`${file} has no default export that is a function`);
  return module.default as FunctionHandler;
}
