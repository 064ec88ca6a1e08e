import type { Context } from './context.ts';

const env = (name: string) => Deno.env.get(name) ?? '';

export const serve = (handler: (request: Request, context: Context) => Promise<Response>) =>
  Deno.serve((request) =>
    handler(request, {
      supabaseUrl: env('SUPABASE_URL'),
      serviceKey: env('SUPABASE_SERVICE_ROLE_KEY'),
      siteUrl: env('SITE_URL'),
      fetch,
      log: console,
    }),
  );
