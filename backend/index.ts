import { join } from 'node:path';
import type { Config, OwnBackend } from '../config.ts';
import { keepArchives } from './archive/daily.ts';
import { refuseHalfLoaded } from './archive/half-loaded.ts';
import { serveSnapshots } from './archive/snapshot-server.ts';
import { recordOwn } from './auth/audit.ts';
import { createAuth } from './auth/index.ts';
import { ensureSetupKey, setupKeyPrinted } from './config/setup-key.ts';
import { readProject, type SupabaseProject } from './config/supabase-config.ts';
import type { BackendContext, Service } from './context.ts';
import { removeOldCopies } from './data-dir/copies.ts';
import { keepRemembering, refuseLesser, refuseMissingFolder, remember } from './data-dir/known-database.ts';
import { lockFolder } from './data-dir/lock.ts';
import { inWords, mustBeWritable } from './data-dir/writable.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open.ts';
import { warnOfOtherServers } from './database/postgres/other-servers.ts';
import { readiness } from './database/readiness.ts';
import { DiskSpace, megabytes } from './disk-space.ts';
import { functionHost } from './function-host.ts';
import { createFunctions } from './functions/index.ts';
import type { ClientInfo } from './http/client-info.ts';
import { keyPlaces } from './http/key-file.ts';
import { followKeys } from './http/key-rotation.ts';
import { loadKeys } from './http/keys.ts';
import { createLog } from './http/log.ts';
import { contactMessages } from './mail/contact/queue.ts';
import { createMail } from './mail/index.ts';
import { startMailQueue } from './mail/queue.ts';
import { reviewSteps } from './mail/review/queue.ts';
import { createRest } from './rest/index.ts';
import { forgetOld, keepDeletedFor } from './retention.ts';
import { everyHour } from './schedule.ts';
import { type DemoAccount, seedDemo } from './seed/demo.ts';
import { createStorage } from './storage/index.ts';

export interface Backend {
  fetch(request: Request, origin: ClientInfo): Promise<Response>;
  publishableKey: string;
  /** The room for everything below DATA_DIR. */
  disk: DiskSpace;
  /** The demo accounts when this start made them; their passwords are not kept anywhere else. */
  demoAccounts: DemoAccount[] | null;
  /** The one-time key when this start made it; null when there is an admin or the operator gave a key. */
  generatedSetupKey: string | null;
  /** To be called once that key stands where the operator reads it; before that, a start makes it anew. */
  setupKeyPrinted(): Promise<void>;
  /** True when every table a guest can read tells of its changes, so public answers of the data service may be kept. */
  tellsOfChanges: boolean;
  /**
   * Hears of every change to what is shown, from when it resolves.
   * @param heard something has changed, or may have while nothing was heard
   * @param away nothing is heard any more until `heard` is called
   */
  onChange(heard: () => void, away: () => void): Promise<void>;
  /** Resolves when every change that was made before has been told to those who asked for it, or they know better. */
  caughtUp(): Promise<void>;
  /** What keeps the backend from being ready, in words; empty when all is well. */
  problems(): Promise<string[]>;
  /** What is refused for want of room while everything else goes on, in words; empty when all is well. */
  warnings(): Promise<string[]>;
  close(): Promise<void>;
}

const PREFIX = /^\/(auth|rest|storage|functions)\/v1(?:\/|$)/;

const START_WAIT_MS = 120_000;

/** True for addresses that belong to the backend's services. */
export const isServicePath = (path: string): boolean => PREFIX.test(path);

/**
 * Opens the database, brings it up to date and starts the four services.
 * @throws Error with one line for the operator when the folder is in use or cannot be written, the database is not the
 * one that was here, a migration fails or a setting does not hold
 */
export async function createBackend(config: Config & { backend: OwnBackend }): Promise<Backend> {
  const { dataDir } = config;
  try {
    await mustBeWritable(dataDir);
    if (config.backend.database.kind === 'embedded') return await startBackend(config);
    // The lock that an embedded database takes: uploads, mail and keys belong to one server as well.
    const unlock = lockFolder(join(dataDir, 'database'), `DATA_DIR ${dataDir}`);
    const backend = await startBackend(config).catch((error) => {
      unlock();
      throw error;
    });
    return { ...backend, close: () => backend.close().finally(unlock) };
  } catch (error) {
    throw await inWords(dataDir, error);
  }
}

async function startBackend(config: Config & { backend: OwnBackend }): Promise<Backend> {
  const own = config.backend;
  refuseHalfLoaded(config.dataDir);
  const log = createLog(config.logLevel);
  const project = await readProject(own.supabaseDir);
  for (const warning of project.warnings) log.warn(`config.toml: ${warning}`);
  const places = keyPlaces(config, project);
  // Nobody waits for an answer yet: on a busy machine a start takes its time rather than giving up.
  let waitMs = START_WAIT_MS;
  if (own.database.kind === 'embedded') await refuseMissingFolder(own.database.folder, config.dataDir);
  // A start is let write while there is any room at all; its operator is there to see what it says.
  let serving = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const room = { disk, refuses: () => serving };
  const db = await openDatabase(own.database, { log, waitMs: () => waitMs, room });
  try {
    await refuseLesser(db, config.dataDir);
    await migrate(db, {
      platformDir: join(import.meta.dirname, 'database', 'platform'),
      migrationsDir: join(own.supabaseDir, 'migrations'),
      log,
    });
    await makeBuckets(db, project);
    await remember(db, config.dataDir);
    const stopRemembering = keepRemembering(db, config.dataDir, log);
    const keys = await loadKeys(places.file, own, places);
    await keepDeletedFor(db, own.keepDeletedDays);
    const context: BackendContext = { config, project, db, disk, keys, log };
    const mail = await createMail(config, project, log);
    const services = new Map<string, Service>();
    const fetch = async (request: Request, origin: ClientInfo): Promise<Response> => {
      const service = services.get(PREFIX.exec(new URL(request.url).pathname)?.[1] ?? '');
      return service ? service.fetch(request, origin) : new Response('Not found', { status: 404 });
    };
    services.set('auth', await createAuth(context, mail));
    services.set('rest', await createRest(context));
    const storage = await createStorage(context);
    services.set('storage', storage);
    services.set('functions', await createFunctions(context, fetch, functionHost(context, mail, storage)));
    const stopSnapshots = await serveSnapshots(context, () => storage.holdRemovals());
    const stopKeepingArchives = keepArchives(context);
    const mailQueue = await startMailQueue(context, mail, [contactMessages, reviewSteps], () => disk.has('data'));
    const stopForgetting = everyHour(() => forgetOld(db, own.keepAuditDays), {
      log,
      complaint: 'some of what is too old was not forgotten',
      atOnce: true,
    });
    const stopFollowingKeys = followKeys(keys, places, log, (kids) =>
      recordOwn(db, { action: 'signing_keys_changed', outcome: 'success', reason: kids.join(' ') }),
    );

    const demoAccounts = await seedDemo(context, fetch);
    const generatedSetupKey = await ensureSetupKey(db, own.setupKey);
    const tellsOfChanges = await everyPublicTableTells(context);
    const databaseProblems = await readiness(db);
    await warnOfOtherServers(db, log);
    if (db.folder) await removeOldCopies(db.folder);
    waitMs = REQUEST_WAIT_MS;
    serving = true;

    return {
      fetch,
      publishableKey: keys.publishable,
      disk,
      demoAccounts,
      generatedSetupKey,
      setupKeyPrinted: async () => {
        if (generatedSetupKey) await setupKeyPrinted(db, generatedSetupKey);
      },
      tellsOfChanges,
      onChange: (heard, away) => db.listen('site_changed', heard, away),
      caughtUp: () => db.caughtUp(),
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
        await stopKeepingArchives();
        await stopSnapshots();
        await stopFollowingKeys();
        await stopRemembering();
        await stopForgetting();
        for (const service of [...services.values()].reverse()) await service.close();
        // Together: what is being delivered waits for the mail server, which `mail` ends.
        await Promise.all([mailQueue.close(), mail.close()]);
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** As the CLI does: those of config.toml that are not there. */
async function makeBuckets(db: Database, { storage }: SupabaseProject): Promise<void> {
  for (const [name, { public: isPublic, file_size_limit: limit, allowed_mime_types: types }] of Object.entries(
    storage.buckets,
  ))
    await db.query(
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values ($1, $1, $2, $3, $4)
       on conflict do nothing`,
      [name, isPublic, limit ?? null, types ?? null],
    );
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
