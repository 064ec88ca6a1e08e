import type { Server } from 'node:http';
import type { Site, SiteSettings } from '../app/site.ts';
import type { Stored } from './files.ts';

/** Loaded only under `npm run dev`, so production never loads Vite. */
export async function developmentSite(server: Server, settings: SiteSettings) {
  const { createServer } = await import('vite');
  const vite = await createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
  const createFreshSite = async () => {
    const { createSite } = (await vite.ssrLoadModule('./app/site.ts')) as typeof import('../app/site.ts');
    return createSite(settings);
  };
  const site: Site = {
    answer: async (request, visitor) => (await createFreshSite()).answer(request, visitor),
    refuse: async (refusal, path) => (await createFreshSite()).refuse(refusal, path),
    keptAddress: () => null,
    readsDraftCookie: () => true,
    routeOf: () => '/*',
  };
  /** `before` serves Vite's own URLs. */
  return { site, files: new Map<string, Stored>(), before: vite.middlewares };
}
