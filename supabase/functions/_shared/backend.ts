import type { Context } from './context.ts';

export interface Reply {
  ok: boolean;
  status: number;
  headers: Headers;
  body: unknown;
}

export const asService = (context: Context, method: string, path: string, body?: unknown): Promise<Reply> =>
  send(context, method, path, { apikey: context.serviceKey, authorization: `Bearer ${context.serviceKey}` }, body);

/** Calls a database function with the credentials of the function's caller, not the service key. */
export function asCaller(context: Context, caller: Request, procedure: string, args: object = {}): Promise<Reply> {
  const headers: Record<string, string> = {};
  for (const name of ['apikey', 'authorization', 'x-setup-key']) {
    const value = caller.headers.get(name);
    if (value) headers[name] = value;
  }
  return send(context, 'POST', `/rest/v1/rpc/${procedure}`, headers, args);
}

async function send(context: Context, method: string, path: string, headers: Record<string, string>, body: unknown) {
  const response = await context.fetch(`${context.supabaseUrl}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { ok: response.ok, status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

export function messageOf({ body }: Reply): string {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : 'Unknown error occurred';
}
