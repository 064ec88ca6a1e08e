import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SiteSettings } from '../app/site.ts';
import type { Config, OwnConfig } from '../packages/backend/config/config.ts';
import { DiskSpace } from '../packages/backend/data-dir/disk-space.ts';
import { createLog } from '../packages/backend/http/log.ts';
import { type Backend, createBackend } from '../packages/backend/index.ts';
import { DiskStore } from '../packages/backend/storage/disk-store.ts';
import { cleanRichText } from '../rich-text.ts';
import { emailLayout } from '../supabase/templates/layout.ts';
import { Admission, UPLOAD_MS } from './admission.ts';
import { PictureCache } from './cache/picture-cache.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { Connections } from './connections.ts';
import { developmentSite } from './development.ts';
import { drawPng } from './draw-png.ts';
import { readBuiltFiles } from './files.ts';
import { fetchHosted } from './hosted.ts';
import { ReleaseAssets } from './release-assets.ts';
import { requestHandler } from './request-handler.ts';
import { socialImages } from './social-images/social-images.ts';
import { startTelemetry, type Telemetry } from './telemetry/telemetry.ts';

const HOSTED_LIFETIME_MS = 30_000;
const BUILD = join(import.meta.dirname, '..', 'build');

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** @param ownsPort false for a worker: its primary has checked the port */
export async function startServer(config: Config, { ownsPort = true } = {}) {
  if (ownsPort) await checkPort(config);
  const log = createLog(config.logLevel);
  let built: ReturnType<typeof readBuiltSite> | undefined;
  const readEarly = () => {
    built = readBuiltSite();
    built.catch(() => undefined);
  };
  const options = { cleanRichText, emailLayout, meanwhile: config.hotReload ? undefined : readEarly };
  const backend = config.backend.kind === 'own' ? await createBackend(config as OwnConfig, options) : null;
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    // For unread bodies; all others are limited by admission.
    requestTimeout: UPLOAD_MS,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 1_000,
  });
  const connections = new Connections(server);
  let draining = false;
  const isDraining = () => draining;
  const admission = new Admission(config);
  let telemetry: Telemetry | null = null;
  let assets: ReleaseAssets | null = null;
  try {
    const pictures = backend && config.pictureCacheBytes ? new PictureCache(config.pictureCacheBytes) : null;
    telemetry = await startTelemetry(config, backend, pictures);
    const store = backend?.store ?? new DiskStore(config.dataDir);
    const settings = siteSettings(config, backend, store, log, () => cache.generation);
    const lifetimeMs = backend ? Number.POSITIVE_INFINITY : HOSTED_LIFETIME_MS;
    const cache = new ResponseCache(settings.supabase.publishableKey, lifetimeMs);
    await backend?.onChange(cache.clear.bind(cache), cache.pause.bind(cache));
    if (pictures) await backend!.onFileChange(pictures.evict.bind(pictures), pictures.pause.bind(pictures));
    const parts = { config, backend, cache, pictures, admission, log, telemetry, isDraining };
    if (config.hotReload) {
      const { before, ...site } = await developmentSite(server, { ...settings, styleSheet: () => null });
      const handle = requestHandler({ ...parts, ...site, assets: null });
      server.on('request', (request, response) => before(request, response, () => handle(request, response)));
    } else {
      const { createSite, files } = await (built ?? readBuiltSite());
      const styleSheet = (address: string) => files.get(address)?.plain.toString() ?? null;
      const site = createSite({ ...settings, styleSheet });
      assets = new ReleaseAssets(store, files);
      const warn = (err: unknown) => log.warn({ err }, 'storing this release’s assets failed');
      await assets.store(warn, !(store instanceof DiskStore));
      server.on('request', requestHandler({ ...parts, assets, site, files }));
    }
    await listen(server, config);
  } catch (error) {
    await backend?.close();
    throw error;
  }
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    backend,
    /** `/ready` fails from now on and connections close after their response, for load balancers. */
    drain() {
      draining = true;
      connections.drain();
    },
    async leave() {
      admission.close();
      await connections.leave();
    },
    async close() {
      admission.close();
      await connections.close();
      await telemetry?.close();
      await assets?.close();
      await backend?.close();
    },
  };
}

function siteSettings(
  config: Config,
  backend: Backend | null,
  store: Backend['store'],
  log: Logger,
  generation: () => number | null,
): Omit<SiteSettings, 'styleSheet'> {
  const disk = backend?.disk ?? new DiskSpace(config.dataDir, config.diskReserve);
  const common = {
    origin: config.siteUrl,
    drawCard: socialImages(store, join(BUILD, 'faces'), disk, log, config.workers),
    drawPng,
    onError: (err: unknown, path: string) => log.error({ err, path }, 'page failed'),
    captcha: config.captcha,
  };
  if (config.backend.kind === 'hosted') {
    const { url, publishableKey } = config.backend;
    const supabase = { url: url.origin, publishableKey, own: false };
    return { ...common, supabase, generation: () => null, fetch: fetchHosted, developmentSetupKey: null };
  }
  const { publishableKey, notifiesChanges, generatedSetupKey } = backend!;
  return {
    ...common,
    supabase: { url: config.siteUrl, publishableKey, own: true },
    generation: () => (notifiesChanges ? generation() : null),
    fetch: (request, visitor) => backend!.fetch(request, { ...visitor, forPage: true }),
    developmentSetupKey: config.mode === 'development' ? (config.backend.setupKey ?? generatedSetupKey) : null,
  };
}

async function readBuiltSite() {
  const { createSite } = (await import(join(BUILD, 'server', 'index.js'))) as typeof import('../app/site.ts');
  return { createSite, files: await readBuiltFiles(join(BUILD, 'client')) };
}

/** Checks the port before a database is created or changed. @throws Error with one line about it */
export async function checkPort(config: Config): Promise<void> {
  const server = createServer();
  await listen(server, config);
  await new Promise((resolve) => server.close(resolve));
}

const listen = (server: Server, { port, host }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} on ${host} is taken. Stop the other program or set PORT to a free one.`;
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
    });
    server.listen(port, host, resolve);
  });
