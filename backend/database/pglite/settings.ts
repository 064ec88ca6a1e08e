import { closeSync, fsyncSync, openSync } from 'node:fs';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { citext } from '@electric-sql/pglite/contrib/citext';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Major version of the engine, as it stands in the file PG_VERSION. */
export const POSTGRES_VERSION = '18';

interface Stream {
  nfd?: number;
  node: unknown;
}

interface EmscriptenModule {
  NODEFS: { realPath(node: unknown): string; stream_ops: { fsync?: (stream: Stream) => number } };
}

const INPUT_OUTPUT_ERROR = 29;

/**
 * PGlite's own file layer has no fsync: the engine asks for it and nothing happens. Here it reaches the disk,
 * once per commit. A failure is told to the engine, which then stops; it is never tried again in silence.
 */
class DurableNodeFS extends NodeFS {
  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...given);
    result.emscriptenOpts.preRun?.push((module: unknown) => {
      const { NODEFS } = module as EmscriptenModule;
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          syncStream(stream, NODEFS);
          return 0;
        } catch {
          return INPUT_OUTPUT_ERROR;
        }
      };
    });
    return result;
  }
}

function syncStream(stream: Stream, nodefs: EmscriptenModule['NODEFS']): void {
  if (stream.nfd !== undefined) {
    fsyncSync(stream.nfd);
    return;
  }
  // A folder: the file layer keeps no descriptor for it.
  const descriptor = openSync(nodefs.realPath(stream.node), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const SETTINGS = {
  fsync: 'on',
  wal_sync_method: 'fsync',
  shared_buffers: '16MB',
  // Old log that is kept for reuse.
  max_wal_size: '32MB',
  // Deeper input than this is an error of the statement; without it the stack overflows and the engine is lost.
  max_stack_depth: '500kB',
  search_path: 'public,extensions',
  log_min_messages: 'log',
};

/** How every embedded database is opened, the new one in the child process too. */
export const engineOptions = (folder: string): PGliteOptions => ({
  fs: new DurableNodeFS(folder),
  startParams: [
    // "-F" would switch fsync off.
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
  initDbStartParams: ['--wal-segsize=1', '--data-checksums'],
  extensions: { citext, pg_trgm, pgcrypto, unaccent, uuid_ossp },
});
