import { readArchiveState } from './archive/archive-checks.ts';
import { createArchiveDownloads } from './archive/archive-downloads.ts';
import { startDailyArchives } from './archive/daily-archives.ts';
import { serveSnapshots } from './archive/snapshot-server.ts';
import { recordServerEvent } from './auth/audit.ts';
import { captchaState } from './auth/captcha.ts';
import { createAuth } from './auth/index.ts';
import type { BackendContext, RestContext, Service } from './context.ts';
import { megabytes } from './data-dir/disk-space.ts';
import { clockAheadMs } from './database/clock.ts';
import { findRow } from './database/database.ts';
import { createReadinessCheck, type Problem } from './database/readiness.ts';
import { runHourly } from './database/schedule.ts';
import { createFunctions } from './functions/index.ts';
import { startWebhooks, webhookSecret } from './hooks/webhooks.ts';
import { ABSENT_SERVICES, absentService } from './http/absent-services.ts';
import type { ClientInfo } from './http/client-info.ts';
import { type Rate, RateLimit } from './http/rate-limit.ts';
import { refuseUnregisteredKey } from './http/registered-key.ts';
import { serviceIn } from './http/service-path.ts';
import { deleteExpired, queueDigests, setTrashRetention } from './jobs/retention.ts';
import { startScheduledChanges } from './jobs/scheduled-changes.ts';
import { keyPlaces, requireKeyParts } from './keys/key-file.ts';
import { followKeys, type KeysChanged } from './keys/key-rotation.ts';
import { loadKeys } from './keys/keys.ts';
import { keysMatchDatabase } from './keys/keys-match-database.ts';
import { recordKeyUses } from './keys/service-keys.ts';
import { ensureSetupKey, setupKeyPrinted } from './keys/setup-key.ts';
import { createMail } from './mail/index.ts';
import { createRest } from './rest/index.ts';
import { seedDemo } from './seed/demo.ts';
import { createStorage } from './storage/index.ts';

export type Services = Awaited<ReturnType<typeof startServices>>;
export type Measures = Awaited<ReturnType<Services['measures']>>;

/** The LISTEN connection is checked twice a second. */
const MAX_LISTENER_AGE_MS = 2_000;

const MIN_REPORTED_SECONDS = 10;
/** Readable with any key; caches do not look at it. */
const PUBLIC_OBJECT = /^\/storage\/v1\/(object|render\/image)\/public\//;

const problem = (part: Problem['part'], reason: string): Problem => ({ part, reason });

function clockProblem(): string | null {
  const seconds = Math.round(clockAheadMs() / 1000);
  return Math.abs(seconds) < MIN_REPORTED_SECONDS
    ? null
    : `this machine’s clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database’s, which is used`;
}

export async function startServices(base: Omit<RestContext, 'keys'>) {
  const { config, project, db, disk, log } = base;
  const places = keyPlaces(config, project);
  const keys = await loadKeys(places.file, config.backend, places);
  const keysProblem = (await keysMatchDatabase(db, keys))
    ? null
    : `KEYS_FILE ${places.file} does not match this database: sessions are not valid on other machines and sealed values cannot be read. Restore the matching file, or run "npm run keys -- adopt" if it is lost.`;
  if (keysProblem) log.warn(keysProblem);
  if (project.auth.saml.enabled) {
    (await import('./auth/sso/library.ts')).requireLibrary();
    await requireKeyParts(places.file, ['saml']);
  }
  const context: RestContext = { ...base, keys };
  /** Closed in the reverse order. */
  const started = new AsyncDisposableStack();
  await setTrashRetention(db, config.backend.keepDeletedDays);
  const mail = await createMail(context);
  started.defer(mail.close);
  started.defer((await startWebhooks(context)).close);
  const services = new Map<string, Service>();
  const fetch = async (request: Request, origin: ClientInfo): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const service = services.get(serviceIn(pathname) ?? '');
    const refusal = PUBLIC_OBJECT.test(pathname) ? null : refuseUnregisteredKey(request.headers, keys);
    if (refusal) return refusal;
    return service ? service.fetch(request, origin) : new Response('Not found', { status: 404 });
  };
  services.set('auth', await createAuth(context, mail));
  services.set('rest', await createRest(context));
  for (const name of ABSENT_SERVICES) services.set(name, absentService(name));
  const storage = await createStorage(context);
  services.set('storage', storage);
  const snapshots = await serveSnapshots(context, () => storage.pauseRemovals());
  const downloads = createArchiveDownloads(context, snapshots);
  const functions = await createFunctions(context, fetch, {
    mail: () => mail.check(),
    captcha: () => captchaState(project.auth.captcha),
    storageHasRoom: async () => (await storage.problems()).length === 0,
    archives: async () => ({ ...(await readArchiveState(db)), mayHaveNone: db.engine === 'postgres' }),
    downloadArchive: downloads.start,
    webhookSecret: (webhook: string, number: number) => webhookSecret(keys, webhook, number),
  });
  services.set('functions', functions);
  for (const service of services.values()) started.defer(service.close);
  started.defer(snapshots.close);
  started.defer(startDailyArchives(context));
  started.defer(downloads.close);
  const hourly = { db, log, immediately: true };
  started.defer(runHourly(() => deleteExpired(db, config.backend.keepAuditDays), { ...hourly, name: 'forget' }));
  started.defer(runHourly(() => queueDigests(db), { ...hourly, name: 'digests' }));
  started.defer(await startScheduledChanges(context));
  keys.used = recordKeyUses({ db, dataDir: config.dataDir }, log);
  // Every process detects the change; one records it. A single process needs no count, which no rollback would undo.
  const recordOnce = new RateLimit({ points: 1, seconds: 60 }, { db, name: 'key changes' });
  const onKeysChange: KeysChanged = (action, validKeys) =>
    db.transaction(async (tx) => {
      if (db.engine === 'pglite' || !(await recordOnce.use(`${action} ${validKeys} ${keys.secret}`, tx)))
        await recordServerEvent(tx, { action, reason: validKeys.join(' ') });
    });
  started.defer(followKeys(keys, places, log, onKeysChange, { secretKey: config.backend.secretKey }));

  const demoAccounts = await seedDemo(context, fetch);
  const generatedSetupKey = await ensureSetupKey(db, config.backend.setupKey);
  const notifiesChanges = await allPublicTablesNotify(context);
  const databaseProblems = await createReadinessCheck(db);

  return {
    routes: [...services.values()].flatMap(({ routes }) => routes),
    fetch,
    store: storage.store,
    publishableKey: keys.publishable,
    /** Created by this start; their passwords cannot be read anywhere else. */
    demoAccounts,
    generatedSetupKey,
    siteName: (await mail.layout())?.name ?? null,
    /** Call after printing the key; otherwise the next start creates another. */
    setupKeyPrinted: async (): Promise<void> => {
      if (generatedSetupKey) await setupKeyPrinted(db, generatedSetupKey);
    },
    /** Whether all guest-readable tables notify changes, so that public responses of the data service may be cached. */
    notifiesChanges,
    rateLimit: (name: string, rate: Rate) => new RateLimit(rate, { db, name }),
    problems: databaseProblems,
    async warnings(): Promise<Problem[]> {
      const acceptsWrites = db.engine === 'postgres' || (await disk.has('data'));
      const clock = clockProblem();
      const isListening = (db.load.listenerAgeMs ?? 0) < MAX_LISTENER_AGE_MS;
      return [
        ...(await storage.problems()),
        ...(acceptsWrites ? [] : [problem('disk', `changes refused: less than ${megabytes(disk.limit('data'))} free`)]),
        ...(keysProblem ? [problem('keys', 'KEYS_FILE does not match this database')] : []),
        ...(clock ? [problem('clock', clock)] : []),
        ...(isListening ? [] : [problem('listener', 'LISTEN connection lost: page cache disabled')]),
      ];
    },
    measures: async () => ({ ...db.load, mails: await mail.waiting() }),
    close: () => started.disposeAsync(),
  };
}

async function allPublicTablesNotify({ db, project }: BackendContext): Promise<boolean> {
  const text = `select count(*)::int as silent
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and has_schema_privilege('anon', n.oid, 'usage') and has_any_column_privilege('anon', c.oid, 'select')
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'site_changed')`;
  return (await findRow<{ silent: number }>(db, text, [project.api.schemas]))!.silent === 0;
}
