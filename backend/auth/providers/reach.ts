import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ApiError, errors } from '../errors.ts';

/** One request to a provider, in seconds. */
export const REQUEST_SECONDS = 4;
/** Everything that one request of ours asks of a provider. */
const LIMIT_MS = 9_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Asks a provider something. It is somebody else's server, so it may be slow, gone or broken at any time: the caller
 * gets an error of our catalogue, and the log the reason without what was said.
 * @throws ApiError 503 when it does not answer, 400 bad_oauth_callback when we do not believe the answer
 */
export async function reach<Answer>(log: Logger, provider: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await Promise.race([work(), tooLate()]);
  } catch (problem) {
    if (problem instanceof ApiError) throw problem;
    const { message, code } = problem as Error & { code?: unknown };
    // The cause would hold codes and tokens.
    log.warn({ provider, code, reason: message }, 'provider sign-in failed');
    throw isAway(problem) ? errors.providerUnreachable(provider) : errors.badOauthCallback();
  }
}

async function tooLate(): Promise<never> {
  await sleep(LIMIT_MS, undefined, { ref: false });
  throw new ProviderAway('the provider took too long');
}

/** The provider does not answer, or says that it cannot. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

function isAway(problem: unknown): boolean {
  const { cause } = problem as { cause?: unknown };
  return (
    [problem, cause].some((error) => error instanceof ProviderAway) ||
    (cause instanceof Response && cause.status >= 500)
  );
}

/** `fetch` that tells "nobody there" from other failures, and reads no more than a megabyte. */
export const outgoing = async (address: string, options: RequestInit): Promise<Response> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const response = await fetch(address, { ...options, redirect: 'manual' });
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    const headers = new Headers(response.headers);
    // `fetch` has already unpacked it.
    headers.delete('content-encoding');
    const empty = response.status === 204 || response.status === 304;
    return new Response(empty ? null : Buffer.concat(chunks), { status: response.status, headers });
  } catch (problem) {
    throw new ProviderAway((problem as Error).message, { cause: problem });
  }
};

/** Plain http is for tests and for issuers on the same machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname));
