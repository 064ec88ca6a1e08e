import type { Logger } from 'pino';
import { withTimeout } from '../../database/database.ts';
import { ApiError, errors } from '../errors.ts';

export const REQUEST_SECONDS = 4;
/** Time limit for all provider requests during one of our requests. */
const TIMEOUT_MS = 9_000;
const MAX_BYTES = 1024 * 1024;

/** @throws ApiError 503 when the provider does not respond, 400 bad_oauth_callback when the response is not trusted */
export async function callProvider<Value>(log: Logger, provider: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await withTimeout(work(), TIMEOUT_MS, () => new ProviderUnreachable('the provider took too long'));
  } catch (problem) {
    if (problem instanceof ApiError) throw problem;
    const { message, code, cause } = problem as Error & { code?: unknown };
    const unreachable = [problem, cause].find((error) => error instanceof ProviderUnreachable);
    // Neither response nor another `cause`: they contain codes and tokens.
    log.warn({ provider, code, reason: unreachable?.message ?? message }, 'provider sign-in failed');
    const isUnreachable = unreachable || (cause instanceof Response && cause.status >= 500);
    throw isUnreachable ? errors.providerUnreachable(provider) : errors.badOauthCallback();
  }
}

export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderAway';
}

/** `fetch` that reports network failures as `ProviderUnreachable` and reads at most 1 MB. */
export const providerFetch = async (address: string, options: RequestInit): Promise<Response> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const response = await fetch(address, { ...options, redirect: 'manual' });
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new Error('the response is too large');
      chunks.push(chunk);
    }
    const headers = new Headers(response.headers);
    // `fetch` has already decompressed the body.
    headers.delete('content-encoding');
    const empty = response.status === 204 || response.status === 304;
    return new Response(empty ? null : Buffer.concat(chunks), { status: response.status, headers });
  } catch (problem) {
    const { message, cause } = problem as Error & { cause?: { code?: string } };
    throw new ProviderUnreachable(cause?.code ? `${message}: ${cause.code}` : message, { cause: problem });
  }
};

/** Plain http is allowed for tests and issuers on the same machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname));
