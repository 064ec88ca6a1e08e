import { DatabaseError, DatabaseUnavailable } from '../database.ts';
import { type PostgresServer, PostgresSession, type SessionSettings } from './session.ts';

/** Milliseconds after which a silent server is skipped. */
const ANSWER_MS = 3_000;
const SILENT_MS = 500;
/** The first authority holds names and hosts: `postgres://user:password@one:5432,two:5433/name?sslmode=require`. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;

/** @param called the setting's name @throws Error with a message for the operator */
export function serversOf(url: string, called: string): string[] {
  const [, scheme, authority = '', path = '', query] = PARTS.exec(url) ?? [];
  if (!scheme) throw new Error(`${called} must start with postgres:// or postgresql://`);
  const at = authority.lastIndexOf('@');
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs');
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary')
    throw new Error(`${called} must not request a read-only server: target_session_attrs is read-write.`);
  parameters.delete('target_session_attrs');
  const rest = `${path}${parameters.size ? `?${parameters}` : ''}`;
  return authority
    .slice(at + 1)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, at + 1)}${host}${rest}`);
}

/** Opens sessions on the first server that accepts writes, and stays with it while it does. */
export class PostgresServers {
  readonly #servers: readonly PostgresServer[];
  readonly #pooled: boolean;
  #current = 0;

  constructor(url: string, { called = 'DATABASE_URL', pooled = false } = {}) {
    this.#servers = serversOf(url, called).map((one) => ({ url: one, heardAt: 0, isSilent: false }));
    this.#pooled = pooled;
  }

  /**
   * @param isPatient wait for a server that was silent before as for any other
   * @throws DatabaseUnavailable when none accepts writes; DatabaseError when the first that answers rejects us
   */
  async open(
    settings: Omit<SessionSettings, 'server' | 'pooled'>,
    { isPatient = false } = {},
  ): Promise<PostgresSession> {
    const troubles: string[] = [];
    const first = this.#current;
    for (let tried = 0; tried < this.#servers.length; tried++) {
      const index = (first + tried) % this.#servers.length;
      const server = this.#servers[index]!;
      const session = new PostgresSession({ ...settings, pooled: this.#pooled, server });
      try {
        const limit = server.isSilent && !isPatient ? SILENT_MS : ANSWER_MS;
        if (await session.inTime(session.takesWrites(), limit)) {
          this.#current = index;
          return session;
        }
        troubles.push('The database server does not accept writes');
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable || (error instanceof DatabaseError && this.#servers.length > 1)))
          throw error;
        troubles.push(error.message);
      }
      session.destroy();
    }
    throw new DatabaseUnavailable([...new Set(troubles)].join('; '));
  }
}
