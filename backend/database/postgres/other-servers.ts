import type { Logger } from 'pino';
import type { Database } from '../database.ts';
import { PRESENCE } from './listener.ts';

const SERVERS = `select count(*)::int as servers from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = ${PRESENCE}`;

/**
 * Says so when another server is connected to the same PostgreSQL database. Nothing keeps it out: rows are safe with any
 * number of servers, but what each keeps for itself is not shared.
 */
export async function warnOfOtherServers(db: Database, log: Logger): Promise<void> {
  if (db.engine !== 'postgres') return;
  const { rows } = await db.query<{ servers: number }>(SERVERS);
  if (rows[0]!.servers > 1)
    log.warn(
      { servers: rows[0]!.servers },
      'another server uses this database: uploads, keys and waiting mail lie in the DATA_DIR of each, limits are counted by each, and messages may be mailed twice; run one server',
    );
}
