import { keepArchives } from './archive/daily.ts';
import { archiveDownloads } from './archive/download.ts';
import { serveSnapshots } from './archive/snapshot-server.ts';
import { recordOwn } from './auth/audit.ts';
import { createAuth } from './auth/index.ts';
import { ensureSetupKey, setupKeyPrinted } from './config/setup-key.ts';
import type { BackendContext, Service } from './context.ts';
import { warnOfOtherServers } from './database/postgres/other-servers.ts';
import { readiness } from './database/readiness.ts';
import { megabytes } from './disk-space.ts';
import { functionHost } from './function-host.ts';
import { createFunctions } from './functions/index.ts';
import type { ClientInfo } from './http/client-info.ts';
import { keyPlaces } from './http/key-file.ts';
import { followKeys } from './http/key-rotation.ts';
import { loadKeys } from './http/keys.ts';
import { contactMessages } from './mail/contact/queue.ts';
import { createMail } from './mail/index.ts';
import { startMailQueue } from './mail/queue.ts';
import { reviewSteps } from './mail/review/queue.ts';
import { createRest } from './rest/index.ts';
import { forgetOld, keepDeletedFor } from './retention.ts';
import { everyHour } from './schedule.ts';
import { type DemoAccount, seedDemo } from './seed/demo.ts';
import { serviceIn } from './service-path.ts';
import { createStorage } from './storage/index.ts';

export interface Services {
  fetch(request: Request, origin: ClientInfo): Promise<Response>;
  publishableKey: string;
  /** The demo accounts when this start made them; their passwords are not kept anywhere else. */
  demoAccounts: DemoAccount[] | null;
  /** The one-time key when this start made it; null when there is an admin or the operator gave a key. */
  generatedSetupKey: string | null;
  /** To be called once that key stands where the operator reads it; before that, a start makes it anew. */
  setupKeyPrinted(): Promise<void>;
  /** True when every table a guest can read tells of its changes, so public answers of the data service may be kept. */
  tellsOfChanges: boolean;
  /** What keeps the backend from being ready, in words; empty when all is well. */
  problems(): Promise<string[]>;
  /** What is refused for want of room while everything else goes on, in words; empty when all is well. */
  warnings(): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts the four services on a database that is up to date, and what goes on beside them. */
export async function startServices(opened: Omit<BackendContext, 'keys'>): Promise<Services> {
  const { config, project, db, disk, log } = opened;
  const places = keyPlaces(config, project);
  const keys = await loadKeys(places.file, config.backend, places);
  const context: BackendContext = { ...opened, keys };
  await keepDeletedFor(db, config.backend.keepDeletedDays);
  const mail = await createMail(config, project, log);
  const services = new Map<string, Service>();
  const fetch = async (request: Request, origin: ClientInfo): Promise<Response> => {
    const service = services.get(serviceIn(new URL(request.url).pathname) ?? '');
    return service ? service.fetch(request, origin) : new Response('Not found', { status: 404 });
  };
  services.set('auth', await createAuth(context, mail));
  services.set('rest', await createRest(context));
  const storage = await createStorage(context);
  services.set('storage', storage);
  const snapshots = await serveSnapshots(context, () => storage.holdRemovals());
  const downloads = archiveDownloads(context, snapshots);
  services.set('functions', await createFunctions(context, fetch, functionHost(context, mail, storage, downloads)));
  const stopKeepingArchives = keepArchives(context);
  const mailQueue = await startMailQueue(context, mail, [contactMessages, reviewSteps], () => disk.has('data'));
  const stopForgetting = everyHour(() => forgetOld(db, config.backend.keepAuditDays), {
    log,
    complaint: 'some of what is too old was not forgotten',
    atOnce: true,
  });
  const stopFollowingKeys = followKeys(keys, places, log, (kids) =>
    recordOwn(db, { action: 'signing_keys_changed', outcome: 'success', reason: kids.join(' ') }),
  );

  const demoAccounts = await seedDemo(context, fetch);
  const generatedSetupKey = await ensureSetupKey(db, config.backend.setupKey);
  const tellsOfChanges = await everyPublicTableTells(context);
  const databaseProblems = await readiness(db);
  await warnOfOtherServers(db, log);

  return {
    fetch,
    publishableKey: keys.publishable,
    demoAccounts,
    generatedSetupKey,
    setupKeyPrinted: async () => {
      if (generatedSetupKey) await setupKeyPrinted(db, generatedSetupKey);
    },
    tellsOfChanges,
    async problems() {
      return databaseProblems();
    },
    async warnings() {
      const writes = db.engine === 'postgres' || (await disk.has('data'));
      return [
        ...(await storage.problems()),
        ...(writes ? [] : [`changes are refused: less than ${megabytes(disk.limit('data'))} free`]),
      ];
    },
    async close() {
      downloads.close();
      await stopKeepingArchives();
      await snapshots.close();
      await stopFollowingKeys();
      await stopForgetting();
      for (const service of [...services.values()].reverse()) await service.close();
      // Together: what is being delivered waits for the mail server, which `mail` ends.
      await Promise.all([mailQueue.close(), mail.close()]);
    },
  };
}

async function everyPublicTableTells({ db, project }: BackendContext): Promise<boolean> {
  const { rows } = await db.query<{ silent: number }>(
    `select count(*)::int as silent
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and has_schema_privilege('anon', n.oid, 'usage') and has_any_column_privilege('anon', c.oid, 'select')
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'site_changed')`,
    [project.api.schemas],
  );
  return rows[0]!.silent === 0;
}
