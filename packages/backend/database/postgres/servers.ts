import { DatabaseError, DatabaseUnavailable } from '../database.ts';
import { type PostgresServer, PostgresSession, type SessionSettings } from './session.ts';

const RESPONSE_TIMEOUT_MS = 3_000;
const SILENT_TIMEOUT_MS = 500;
/** Matches a URL, whose authority may name several hosts: `postgres://user:password@one:5432,two:5433/name?sslmode=require`. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;

/** @param settingName for error messages @throws Error with a message for the operator */
export function parseServerUrls(url: string, settingName: string): string[] {
  const [, scheme, authority = '', path = '', query] = URL_PARTS.exec(url) ?? [];
  if (!scheme) throw new Error(`${settingName} must start with postgres:// or postgresql://`);
  const at = authority.lastIndexOf('@');
  const parameters = new URLSearchParams(query);
  const sessionAttributes = parameters.get('target_session_attrs');
  if (sessionAttributes !== null && sessionAttributes !== 'read-write' && sessionAttributes !== 'primary')
    throw new Error(`${settingName} must not request a read-only server: target_session_attrs is read-write.`);
  parameters.delete('target_session_attrs');
  const rest = `${path}${parameters.size ? `?${parameters}` : ''}`;
  const hosts = authority.slice(at + 1).split(',');
  const urls = hosts.map((host) => `${scheme}${authority.slice(0, at + 1)}${host}${rest}`);
  if (urls.every((one) => URL.canParse(one))) return urls;
  throw new Error(`${settingName} is not a valid address. In its password, write # as %23 and / as %2F.`);
}

/** Opens sessions on the first server that accepts writes, and stays with it while it does. */
export class PostgresServers {
  readonly #servers: readonly PostgresServer[];
  readonly #pooled: boolean;
  #current = 0;

  constructor(url: string, settingName: string, pooled: boolean) {
    this.#servers = parseServerUrls(url, settingName).map((one) => ({ url: one, respondedAt: 0, isSilent: false }));
    this.#pooled = pooled;
  }

  /** @param isPatient give a silent server the full timeout @throws DatabaseUnavailable, DatabaseError */
  async open(settings: Omit<SessionSettings, 'server' | 'pooled'>, { isPatient = false } = {}) {
    const problems: string[] = [];
    const first = this.#current;
    for (let attempt = 0; attempt < this.#servers.length; attempt++) {
      const index = (first + attempt) % this.#servers.length;
      const server = this.#servers[index]!;
      const session = new PostgresSession({ ...settings, pooled: this.#pooled, server });
      try {
        const timeoutMs = server.isSilent && !isPatient ? SILENT_TIMEOUT_MS : RESPONSE_TIMEOUT_MS;
        if (await session.withTimeout(session.acceptsWrites(), timeoutMs)) {
          this.#current = index;
          return session;
        }
        problems.push('The database server does not accept writes');
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable || (error instanceof DatabaseError && this.#servers.length > 1)))
          throw error;
        problems.push(error.message);
      }
      session.destroy();
    }
    throw new DatabaseUnavailable([...new Set(problems)].join('; '));
  }
}
