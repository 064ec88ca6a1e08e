import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Site, SiteSettings } from '../app/site.ts';
import type { Stored } from './files.ts';

/**
 * The site straight from its sources, with hot reload in this same process. Loaded only under `npm run dev`, so Vite is
 * no part of a production start.
 */
export async function developmentSite(
  server: Server,
  settings: SiteSettings,
): Promise<{ site: Site; files: Map<string, Stored> }> {
  const { createServer } = await import('vite');
  const vite = await createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
  // Vite answers its own addresses first; what it leaves alone reaches our listener.
  const add = server.on.bind(server);
  server.on = ((event: string, listener: (...args: never[]) => void) => {
    if (event !== 'request') return add(event, listener);
    return add('request', (request: IncomingMessage, response: ServerResponse) =>
      vite.middlewares(request, response, () =>
        (listener as unknown as (a: IncomingMessage, b: ServerResponse) => void)(request, response),
      ),
    );
  }) as typeof server.on;
  const site: Site = async (request, visitor) => {
    const { createSite } = (await vite.ssrLoadModule('./app/site.ts')) as typeof import('../app/site.ts');
    return createSite(settings)(request, visitor);
  };
  return { site, files: new Map() };
}
