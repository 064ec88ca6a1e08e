import { Hono } from 'hono';
import type { Service } from '../context.ts';
import { apiHeaders, cors } from './cors.ts';

/** Bodies for Supabase services left out (decision 062), as realtime-js (`message`) and GraphQL clients expect them. */
const BODIES = {
  realtime: { message: 'Realtime is not available on this server' },
  graphql: { errors: [{ message: 'GraphQL is not available on this server: use the data service at /rest/v1' }] },
};

export const ABSENT_SERVICES = Object.keys(BODIES) as (keyof typeof BODIES)[];

export function absentService(name: keyof typeof BODIES): Service {
  const app = new Hono({ strict: false });
  app.use(apiHeaders);
  app.use(cors(''));
  app.all('*', (c) => c.json(BODIES[name], 404));
  return { routes: [], fetch: (request) => app.fetch(request), close: async () => undefined };
}
