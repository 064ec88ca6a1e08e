import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { citext } from '@electric-sql/pglite/contrib/citext';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp';
import { DurableNodeFS, GroupCommit } from './durable-node-fs.ts';

export const POSTGRES_VERSION = '18';

const SETTINGS = {
  fsync: 'on',
  wal_sync_method: 'fsync',
  shared_buffers: '16MB',
  max_wal_size: '32MB',
  // Deeper input fails the statement; without this limit the stack overflows and the engine is lost.
  max_stack_depth: '500kB',
  search_path: 'public,extensions',
  log_min_messages: 'log',
};

export const engineOptions = (folder: string, forces = new GroupCommit()): PGliteOptions => ({
  fs: new DurableNodeFS(folder, forces),
  startParams: [
    // "-F" would switch fsync off.
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
  initDbStartParams: ['--wal-segsize=1', '--data-checksums'],
  extensions: { citext, pg_trgm, pgcrypto, unaccent, uuid_ossp },
});
