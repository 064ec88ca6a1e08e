import type { Context } from './context.ts';
import { isAccountEmail } from './email.ts';

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-setup-key',
  'cache-control': 'no-store',
};

const MAX_BODY_LENGTH = 16 * 1024;

/** Expected refusals are 200 with `success: false`: the official client hides the body of other statuses. */
export const respond = (body: { success: boolean; error: string | null; [key: string]: unknown }, status = 200) =>
  Response.json(body, { status, headers: HEADERS });

export const refuse = (error: string) => respond({ success: false, error });

type Handler = (request: Request, context: Context) => Promise<Response>;

export const onPost =
  (handler: Handler): Handler =>
  async (request, context) => {
    if (request.method === 'OPTIONS') return new Response('ok', { headers: HEADERS });
    if (request.method !== 'POST') return respond({ success: false, error: 'Only POST is allowed.' }, 405);
    return handler(request, context);
  };

export async function readObject(request: Request): Promise<Record<string, unknown> | null> {
  const text = await request.text();
  if (text.length > MAX_BODY_LENGTH) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function emailIn(value: unknown): string | null {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return isAccountEmail(email) ? email : null;
}
