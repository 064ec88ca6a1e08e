import { join } from 'node:path';
import type { Config, OwnBackend } from '../config.ts';
import { recordOwn } from './auth/audit.ts';
import { createAuth } from './auth/index.ts';
import { contactMessages } from './contact/queue.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open.ts';
import { DiskSpace } from './disk-space.ts';
import { everyHour } from './every-hour.ts';
import { forgetOld, keepDeletedFor } from './forgetting.ts';
import { createFunctions } from './functions/index.ts';
import { houseOf } from './house.ts';
import { keyPlaces } from './http/key-file.ts';
import { followKeys } from './http/key-rotation.ts';
import { loadKeys } from './http/keys.ts';
import { createLog } from './http/log.ts';
import type { Origin } from './http/origin.ts';
import { createMail } from './mail/index.ts';
import type { Parts, Service } from './parts.ts';
import { readProject } from './project.ts';
import { createRest } from './rest/index.ts';
import { reviewSteps } from './review/queue.ts';
import { startRowMail } from './row-mail/index.ts';
import { type DemoAccount, seedDemo } from './seed/demo.ts';
import { ensureSetupKey } from './setup-key.ts';
import { megabytes } from './storage/errors.ts';
import { createStorage } from './storage/index.ts';

export interface Backend {
  fetch(request: Request, origin: Origin): Promise<Response>;
  publishableKey: string;
  /** The demo accounts when this start made them; their passwords are not kept anywhere else. */
  demoAccounts: DemoAccount[] | null;
  /** The one-time key when this start made it; null when there is an admin or the operator gave a key. */
  generatedSetupKey: string | null;
  /** True when every table a guest can read tells of its changes, so public answers of the data service may be kept. */
  tellsOfChanges: boolean;
  onChange(heard: () => void): void;
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
 * @throws Error with one line for the operator when the folder is in use, a migration fails or a setting does not hold
 */
export async function createBackend(config: Config & { backend: OwnBackend }): Promise<Backend> {
  const own = config.backend;
  const log = createLog(config.logLevel);
  const project = await readProject(own.supabaseDir);
  const places = keyPlaces(config, project);
  const keys = await loadKeys(places.file, own, places);
  // Nobody waits for an answer yet: on a busy machine a start takes its time rather than giving up.
  let waitMs = START_WAIT_MS;
  // A start is let write while there is any room at all; its operator is there to see what it says.
  let serving = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const room = { disk, refuses: () => serving };
  const db = await openDatabase(own.database, { log, waitMs: () => waitMs, room });
  try {
    await migrate(db, {
      platformDir: join(import.meta.dirname, 'database', 'platform'),
      migrationsDir: join(own.supabaseDir, 'migrations'),
      log,
    });
    await keepDeletedFor(db, own.keepDeletedDays);
    const parts: Parts = { config, project, db, keys, log };
    const mail = await createMail(config, project, log);
    const services = new Map<string, Service>();
    const fetch = async (request: Request, origin: Origin): Promise<Response> => {
      const service = services.get(PREFIX.exec(new URL(request.url).pathname)?.[1] ?? '');
      return service ? service.fetch(request, origin) : new Response('Not found', { status: 404 });
    };
    services.set('auth', await createAuth(parts, mail));
    services.set('rest', await createRest(parts));
    const storage = await createStorage(parts);
    services.set('storage', storage);
    services.set('functions', await createFunctions(parts, fetch, houseOf(parts, mail, storage)));
    const rowMail = await startRowMail(parts, mail, [contactMessages, reviewSteps], () => disk.has('data'));
    const stopForgetting = everyHour(() => forgetOld(db, own.keepAuditDays), {
      log,
      complaint: 'some of what is too old was not forgotten',
      atOnce: true,
    });
    const stopFollowingKeys = followKeys(keys, places, log, (kids) =>
      recordOwn(db, { action: 'signing_keys_changed', outcome: 'success', reason: kids.join(' ') }),
    );

    const demoAccounts = await seedDemo(parts, fetch);
    const generatedSetupKey = await ensureSetupKey(db, own.setupKey);
    const tellsOfChanges = await everyPublicTableTells(parts);
    waitMs = REQUEST_WAIT_MS;
    serving = true;

    return {
      fetch,
      publishableKey: keys.publishable,
      demoAccounts,
      generatedSetupKey,
      tellsOfChanges,
      onChange: (heard) => void db.listen('site_changed', heard),
      async problems() {
        const answered = await db.query('select 1').then(
          () => true,
          () => false,
        );
        return answered ? [] : ['The database does not answer.'];
      },
      async warnings() {
        const writes = db.engine === 'postgres' || (await disk.has('data'));
        return [
          ...(await storage.problems()),
          ...(writes ? [] : [`changes are refused: less than ${megabytes(disk.limit('data'))} free`]),
        ];
      },
      async close() {
        await stopFollowingKeys();
        await stopForgetting();
        for (const service of [...services.values()].reverse()) await service.close();
        await rowMail.close();
        await mail.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function everyPublicTableTells({ db, project }: Parts): Promise<boolean> {
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
