import { hash, randomInt } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { folderFault } from '../config/supabase-config-file.ts';
import type { BackendContext } from '../context.ts';
import { nullIfMissing, readIfPresent } from '../data-dir/durable-file.ts';
import { DatabaseError, findRow, hasFunction, hasRow } from '../database/database.ts';
import type { ClientInfo } from '../http/client-info.ts';

export type DemoAccount = { role: string; email: string; password: string };

type Fetch = (request: Request, origin: ClientInfo) => Promise<Response>;
type Send = (method: 'POST' | 'PUT', path: string, body: BodyInit, headers: Record<string, string>) => Promise<void>;

// Re-encoding an image occupies a core; reading and recording the next one fills the pauses.
const CONCURRENCY = 2;
const LOOP_FORMATS = ['webm', 'mp4'];

const SEED_CLIENT: ClientInfo = { address: '127.0.0.1', id: 'seed' };

/** An interrupted seed continues at the next start. @returns accounts with new passwords; null without a seed */
export async function seedDemo(context: BackendContext, fetchBackend: Fetch): Promise<DemoAccount[] | null> {
  if (!(await shouldSeed(context))) return null;
  await runSeedFiles(context);
  const accounts: DemoAccount[] = [];
  if (context.config.backend.seed !== 'project') {
    const send = senderTo(context, fetchBackend);
    await storePictures(context, send);
    accounts.push(...(await createPasswords(context, send)));
  }
  await context.db.query(`update supabase_migrations.seed_files set finished = true where not finished`);
  return accounts.length ? accounts : null;
}

async function shouldSeed({ config, project, db }: BackendContext): Promise<boolean> {
  const { seed, database } = config.backend;
  if (seed === 'none' || !project.db.seed.enabled) return false;
  // The table is the Supabase CLI's; `finished` is ours.
  await db.script(
    `create table if not exists supabase_migrations.seed_files (path text primary key);
     alter table supabase_migrations.seed_files add column if not exists hash text, add column if not exists finished boolean`,
  );
  const text = `select (select bool_or(finished) from supabase_migrations.seed_files) as finished,
            exists (select from auth.identities) as has_users`;
  const { finished, has_users } = (await findRow<{ finished: boolean | null; has_users: boolean }>(db, text))!;
  if (finished !== null) return !finished;
  if (has_users || seed !== 'auto') return !has_users;
  // The first start issues the setup key, after its seed.
  const isOurs = await hasFunction(db, 'private.set_setup_key(text,boolean)');
  return database.kind === 'embedded' && !(isOurs && (await hasRow(db, 'select from private.setup_keys')));
}

const folderFaultOf = (file: string) => (error: NodeJS.ErrnoException) => {
  throw folderFault(file, error);
};

async function runSeedFiles({ project, config, db, log }: BackendContext): Promise<void> {
  for (const path of await seedFiles(project.folder, project.db.seed.sql_paths)) {
    if (await hasRow(db, 'select from supabase_migrations.seed_files where path = $1', [path])) continue;
    const file = join(project.folder, path);
    const sql = await readIfPresent(file).catch(folderFaultOf(file));
    if (sql === null) {
      log.warn({ file }, 'seed file not found');
      continue;
    }
    log.debug({ path }, 'running the seed');
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    await db
      .script(
        `begin; select set_config('app.site_url', ${quoted(config.siteUrl)}, true);\n${sql}\n;
         insert into supabase_migrations.seed_files (path, hash, finished)
         values (${quoted(path)}, '${hash('sha256', sql)}', false); commit;`,
      )
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        throw new Error(`The seed ${file} failed: ${error.message} (${error.code}). It was rolled back.`);
      });
  }
}

async function seedFiles(folder: string, patterns: string[]): Promise<string[]> {
  const found = patterns.map(async (pattern) =>
    /[*?[{]/.test(pattern) ? (await Array.fromAsync(glob(pattern, { cwd: folder }))).sort() : [pattern],
  );
  return [...new Set((await Promise.all(found)).flat())];
}

// Images of our bucket that seeded rows show, with loops. Their last digits select a file (`pg_temp.picture` in `seed.sql`).
async function storePictures({ db, project, log }: BackendContext, send: Send): Promise<void> {
  // Other projects have other tables, and seeds without images.
  if (!(await hasRow(db, `select where to_regclass('public.project_media') is not null`))) return;
  const { rows } = await db.query<{ path: string }>(
    `select distinct address.path
       from (select unnest(array[url, poster]) as value from public.project_media
             union all select value::text from public.site_settings) source
       cross join lateral (
         select found[1] as path from regexp_matches(source.value, '/storage/v1/object/public/([^"]+)', 'g') as found) address
      where not exists (select from storage.objects o where o.bucket_id || '/' || o.name = address.path)
      order by address.path`,
  );
  if (!rows.length) return;
  log.info({ pictures: rows.length }, 'storing demo images');
  const headers = { 'cache-control': 'max-age=3600', 'x-upsert': 'true' };
  const upload = (path: string, type: string, body: BodyInit) =>
    send('POST', `/storage/v1/object/${path}`, body, { 'content-type': type, ...headers });
  const store = async ({ path }: { path: string }) => {
    const [, id, projectNumber, mediaNumber] = /([\da-f-]{24}(\d{6})(\d{6}))\.png$/.exec(path) ?? [];
    const fileOf = (name: string) => seedFile(join(project.folder, 'seed-pictures', `${Number(projectNumber)}`, name));
    const picture = await fileOf(`${Number(mediaNumber)}.webp`);
    if (!picture) return log.warn({ path }, 'seed image not found');
    // Stored before the picture, because a restart after a crash looks only for the picture.
    for (const format of Number(mediaNumber) === 0 ? LOOP_FORMATS : []) {
      const loop = await fileOf(`loop.${format}`);
      if (loop) await upload(`loops/${id}.${format}`, `video/${format}`, loop);
    }
    await upload(path, 'image/webp', picture);
  };
  await Readable.from(rows).forEach(store, { concurrency: CONCURRENCY });
  await db.query('select private.remeasure_media()');
}

const seedFile = (file: string) => readFile(file).catch(nullIfMissing).catch(folderFaultOf(file));

async function createPasswords({ db }: BackendContext, send: Send): Promise<DemoAccount[]> {
  const { rows } = await db.query<{ id: string; email: string; role: string }>(
    `select id, email, raw_app_meta_data ->> 'demo_role' as role from auth.users
      where encrypted_password is null and raw_app_meta_data ? 'demo_role' order by created_at, email`,
  );
  const accounts: DemoAccount[] = [];
  for (const { id, email, role } of rows) {
    const password = generatePassword();
    const json = { 'content-type': 'application/json' };
    await send('PUT', `/auth/v1/admin/users/${id}`, JSON.stringify({ password }), json);
    accounts.push({ role, email, password });
  }
  return accounts;
}

const senderTo =
  ({ config, keys }: BackendContext, fetchBackend: Fetch): Send =>
  async (method, path, body, headers) => {
    const options = { method, headers: { ...headers, authorization: `Bearer ${keys.secret}` }, body };
    const response = await fetchBackend(new Request(config.siteUrl + path, options), SEED_CLIENT);
    if (!response.ok)
      throw new Error(`Seeding the demo failed: ${path} returned ${response.status} ${await response.text()}`);
  };

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of four letters and digits without look-alikes: 79 bits, short enough to type from a screen. */
const generatePassword = () => Array.from({ length: 4 }, randomGroup).join('-');
const randomGroup = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
