import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadArchive } from '../../../packages/backend/archive/load-archive.ts';
import { makeArchive } from '../../../packages/backend/archive/make-archive.ts';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { migrate } from '../../../packages/backend/database/migrate.ts';
import { openStore } from '../../../packages/backend/storage/open-store.ts';
import { postgresql, SCHEMA, silent, temporaryFolder } from '../../database.ts';
import { startHttpServer } from '../../programs/http-server.ts';

/** An object store that refuses every request. */
const startRefusing = () =>
  startHttpServer((request, response) => {
    request.resume();
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
  });

it.each(['expand', 'contract'])(
  'a repeated load into PostgreSQL keeps what a later migration wrote (%s)',
  async (kind) => {
    const { folder, remove } = await temporaryFolder({ onDisk: true });
    const [source, target] = [await postgresql.open(), await postgresql.open()];
    const { url, close } = await startRefusing();
    try {
      const [before, supabaseDir] = [join(folder, 'before'), join(folder, 'supabase')];
      for (const migrations of [before, join(supabaseDir, 'migrations')]) {
        await mkdir(migrations, { recursive: true });
        await writeFile(join(migrations, '20260101000000_first.sql'), 'create table first (id int primary key);');
      }
      const second = `-- ${kind}\nalter table first add column doubled int;\nupdate first set doubled = id * 2;`;
      await writeFile(join(supabaseDir, 'migrations', '20260102000000_second.sql'), second);
      await migrate(source.db, { platformDir: SCHEMA.platformDir, migrationsDir: before, log: silent });
      await source.db.script('insert into first values (1), (2)');
      const disk = (path: string) => ({ kind: 'disk' as const, folder: path });
      const context = { db: source.db, createTempPath: () => join(folder, 'upload'), log: silent };
      const store = await openStore(disk(join(folder, 'objects')), context);
      const file = join(folder, 'archive.tar');
      const options = { version: '1', keys: null, takeAway: false, reservedBytes: 0 };
      await makeArchive({ db: source.db, store, requireSnapshot() {} }, file, options);
      const dataDir = join(folder, 'data');
      const load = (objects: object) => {
        const backend = { database: { kind: 'postgres', url: target.url }, objects, supabaseDir };
        return loadArchive(archive, null, { dataDir, keysFile: join(dataDir, 'keys.json'), backend } as never, silent);
      };
      const archive = await openArchive(file);
      const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
      const loading = load({ kind: 's3', url, bucket: 'bucket', region: 'x', prefix: '', ...keys });
      await expect(loading).rejects.toThrow('cannot be used');
      // A repeated load into the embedded database begins without it, and S3 has its mark.
      const { rows: mark } = await target.db.query('delete from storage.installation returning id');
      await load(disk(join(dataDir, 'objects')));
      expect((await target.db.query('select id from storage.installation')).rows).toEqual(mark);
      const rows = [1, 2].map((id) => ({ id, doubled: 2 * id }));
      expect((await target.db.query('select * from first order by id')).rows).toEqual(rows);
      await archive.close();
    } finally {
      await close();
      await Promise.all([source.end(), target.end()]);
      await remove();
    }
  },
);
