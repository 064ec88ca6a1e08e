import { textResponse } from '#context/refusal-status.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { publicPage } from '#lib/page-headers.ts';

export const feed = (type: string, body: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8`, ...publicPage } });

export const unavailable = (seconds: number): Response =>
  textResponse(503, 'Please try again in a moment.', { 'retry-after': String(seconds) });

export const notFound = (): Response => textResponse(404, 'This page does not exist.');

/** 503 while the backend fails, so that crawlers do not treat content as removed. */
export async function orUnavailable(make: () => Promise<Response>): Promise<Response> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ApiError) return unavailable(30);
    throw error;
  }
}
