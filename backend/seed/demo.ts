import { createHash, randomInt } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderFault } from '../config/supabase-config-file.ts';
import type { Parts } from '../context.ts';
import { DatabaseError } from '../database/database.ts';
import type { Origin } from '../http/client-info.ts';

export interface DemoAccount {
  /** What the account is for: `admin`, `creator`, `member`. */
  role: string;
  email: string;
  password: string;
}

type Call = (request: Request, origin: Origin) => Promise<Response>;

// Drawing is work for a processor core; storing what is drawn fills the pauses.
const DRAWERS = 2;

const SEEDER: Origin = { address: '127.0.0.1', id: 'seed' };

/**
 * Fills a new database with the project's seed: rows from its SQL files, then, unless it is to be planted as written,
 * through our own services, a drawn picture for every address of the bucket that has no file yet, and a password for each
 * account of the demo that has none. Begun once, it is finished at the next start if this one is cut off.
 * @returns the accounts whose passwords were made now; null when nothing was seeded
 */
export async function seedDemo(parts: Parts, call: Call): Promise<DemoAccount[] | null> {
  if (!(await wanted(parts))) return null;
  await plantRows(parts);
  const asWritten = parts.config.backend.seed === 'project';
  if (!asWritten) await drawMissing(parts, call);
  const accounts = asWritten ? [] : await givePasswords(parts, call);
  await parts.db.query(`update supabase_migrations.seed_files set finished = true where not finished`);
  return accounts.length ? accounts : null;
}

async function wanted({ config, project, db }: Parts): Promise<boolean> {
  const { seed, database } = config.backend;
  if (seed === 'none' || !project.db.seed.enabled) return false;
  // The table is the Supabase CLI's; `finished` is ours.
  await db.script(
    `create table if not exists supabase_migrations.seed_files (path text primary key);
     alter table supabase_migrations.seed_files add column if not exists hash text, add column if not exists finished boolean`,
  );
  const { rows } = await db.query<{ begun: boolean; finished: boolean; inhabited: boolean }>(
    `select exists (select from supabase_migrations.seed_files where finished is not null) as begun,
            exists (select from supabase_migrations.seed_files where finished) as finished,
            exists (select from auth.users where encrypted_password is not null) as inhabited`,
  );
  const { begun, finished, inhabited } = rows[0]!;
  if (finished) return false;
  return begun || (!inhabited && (seed !== 'auto' || database.kind === 'embedded'));
}

/** The seed's own SQL, in one transaction that also records that it ran. */
async function plantRows({ project, config, db, log }: Parts): Promise<void> {
  for (const path of await seedFiles(project.folder, project.db.seed.sql_paths)) {
    const { rows } = await db.query('select from supabase_migrations.seed_files where path = $1', [path]);
    if (rows.length) continue;
    const file = join(project.folder, path);
    const sql = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw folderFault(file, error);
    });
    if (sql === null) {
      log.warn(`there is no seed at ${file}`);
      continue;
    }
    log.debug({ path }, 'planting the seed');
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    await db
      .script(
        `begin; select set_config('app.site_url', ${quoted(config.siteUrl)}, true);\n${sql}\n;
         insert into supabase_migrations.seed_files (path, hash, finished)
         values (${quoted(path)}, '${createHash('sha256').update(sql).digest('hex')}', false); commit;`,
      )
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        throw new Error(`The seed ${file} failed: ${error.message} (${error.code}). It was undone.`);
      });
  }
}

/** Each once, patterns such as `./seeds/*.sql` in the order of their names. */
async function seedFiles(folder: string, patterns: string[]): Promise<string[]> {
  const found = patterns.map(async (pattern) =>
    /[*?[{]/.test(pattern) ? (await Array.fromAsync(glob(pattern, { cwd: folder }))).sort() : [pattern],
  );
  return [...new Set((await Promise.all(found)).flat())];
}

/** Every picture that a seeded row shows from our bucket, also as the poster of a film, but that nobody uploaded is drawn. */
async function drawMissing({ db, config, keys, log }: Parts, call: Call): Promise<void> {
  // Another project's folder has other tables, and its seed brings no pictures.
  const { rows: known } = await db.query<{ here: boolean }>(
    `select to_regclass('public.project_media') is not null as here`,
  );
  if (!known[0]!.here) return;
  const { rows } = await db.query<{ bucket: string; name: string; title: string; category: string; cover: boolean }>(
    `select distinct on (address.path) split_part(address.path, '/', 1) as bucket, substr(address.path, strpos(address.path, '/') + 1) as name,
            p.title || ' ' || coalesce(m.title, '') as title, coalesce(c.category, 'other') as category,
            m.type = 'image' and m."order" = (select min(first."order") from public.project_media first where first.project_id = p.id) as cover
       from public.project_media m
       join public.projects p on p.id = m.project_id
       left join public.case_study_metadata c on c.project_id = p.id
       cross join lateral (select split_part(url, '/storage/v1/object/public/', 2) as path from unnest(array[m.url, m.poster]) as url) address
      where address.path <> ''
        and not exists (select from storage.objects o where o.bucket_id || '/' || o.name = address.path)`,
  );
  if (!rows.length) return;
  log.info({ pictures: rows.length }, 'drawing the demo');
  // Only a first start draws; the others need not load what draws.
  const { drawPicture } = await import('./draw.ts');
  const draw = async ({ bucket, name, title, category, cover }: (typeof rows)[number]) => {
    const picture = await drawPicture({ seed: name, title, category, ...(cover ? { kind: 'cover' as const } : {}) });
    await expectOk(
      await call(
        new Request(`${config.siteUrl}/storage/v1/object/${bucket}/${name}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${keys.secret}`,
            'content-type': 'image/png',
            'cache-control': 'max-age=3600',
          },
          body: new Uint8Array(picture),
        }),
        SEEDER,
      ),
      `drawing ${name}`,
    );
  };
  const waiting = [...rows];
  const drawer = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await draw(next);
  };
  await Promise.all(Array.from({ length: DRAWERS }, drawer));
  // Their rows were there first, so nobody has measured them yet.
  await db.query('select private.measure_media_again()');
}

async function givePasswords({ db, config, keys }: Parts, call: Call): Promise<DemoAccount[]> {
  const { rows } = await db.query<{ id: string; email: string; role: string }>(
    `select id, email, raw_app_meta_data ->> 'demo_role' as role from auth.users
      where encrypted_password is null and raw_app_meta_data ? 'demo_role' order by created_at, email`,
  );
  const accounts: DemoAccount[] = [];
  for (const { id, email, role } of rows) {
    const password = speakablePassword();
    await expectOk(
      await call(
        new Request(`${config.siteUrl}/auth/v1/admin/users/${id}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${keys.secret}`, apikey: keys.secret, 'content-type': 'application/json' },
          body: JSON.stringify({ password }),
        }),
        SEEDER,
      ),
      `setting the password of ${email}`,
    );
    accounts.push({ role, email, password });
  }
  return accounts;
}

async function expectOk(response: Response, what: string): Promise<void> {
  if (!response.ok)
    throw new Error(`The demo could not be seeded: ${what} was answered ${response.status} ${await response.text()}`);
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of four letters and digits without look-alikes: 79 bits, and it can be typed from a screen. */
const speakablePassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join(
    '-',
  );
