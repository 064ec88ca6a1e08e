import { ApiError } from '../../models/data/api-error.ts';

/** Kept by the front door until something changes. */
const PUBLIC = 'public, max-age=0, must-revalidate';

/** An answer for machines, kept as public pages are. */
export const feed = (type: string, body: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': PUBLIC } });

/** What robots come back for. */
export const later = (seconds: number): Response =>
  new Response('Please try again in a moment.', {
    status: 503,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(seconds),
    },
  });

export const missing = (): Response =>
  new Response('There is nothing here.', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });

const TROUBLE_SECONDS = 30;

/** The answer, or "come back later" while the backend is in trouble: a robot must not believe that everything is gone. */
export async function orLater(make: () => Promise<Response>): Promise<Response> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ApiError) return later(TROUBLE_SECONDS);
    throw error;
  }
}
