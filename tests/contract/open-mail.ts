import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { readConfig } from '../../packages/backend/config/config.ts';
import { readProject } from '../../packages/backend/config/supabase-config.ts';
import type { BackendContext } from '../../packages/backend/context.ts';
import { createMail, type Mail, type MailTransport, openTransport } from '../../packages/backend/mail/index.ts';
import { emailLayout } from '../../supabase/templates/layout.ts';
import { silent, type TestDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { type MailServer, startMailServer } from '../programs/mail-server.ts';

const project = await readProject(join(import.meta.dirname, '..', '..', 'supabase'));
const sealing = randomBytes(32);

export interface MailOptions {
  keys?: { sealing: Buffer };
  change?: (carrier: MailTransport) => MailTransport;
}

/** Gives each test a data folder, an SMTP server and mail queues, which end with it. */
export function mailFixture(database: Pick<TestDatabase, 'db'>) {
  let running: Mail[];
  const fixture = {
    dataDir: '',
    /** Port of the server, also while there is none. */
    port: 0,
    server: null as MailServer | null,
    /** SMTP codes of the next responses; then all e-mails are accepted. */
    refusals: [] as number[],
    async startServer(wishes: Parameters<typeof startMailServer>[0] = {}) {
      const refusal = () => fixture.refusals.shift();
      fixture.server = await startMailServer({ port: fixture.port, refusal, ...wishes });
    },
    /**
     * Starts the mail queue like the backend does.
     * @param options `keys`: that encrypt what is queued, by default the same for all of a file; `change`: replaces the transport
     */
    async open(
      settings: Record<string, string>,
      { keys = { sealing }, change = (carrier) => carrier }: MailOptions = {},
    ): Promise<Mail> {
      const { db } = database;
      const { dataDir } = fixture;
      const config = readConfig({ DATA_DIR: dataDir, MAIL_FROM: 'Madhouse <hello@madhouse.example>', ...settings });
      const context = { config, project, db, log: silent, keys, emailLayout } as unknown as BackendContext;
      const mail = await createMail(context, change(openTransport(context)));
      running.push(mail);
      return mail;
    },
  };
  beforeEach(async () => {
    [running, fixture.server, fixture.refusals] = [[], null, []];
    fixture.dataDir = await mkdtemp(join(tmpdir(), 'madhouse-mail-'));
    fixture.port = await freePort();
    await database.db.query('delete from internal.mails');
  });
  afterEach(async () => {
    for (const mail of running) await mail.close();
    await fixture.server?.stop();
    await rm(fixture.dataDir, { recursive: true, force: true });
  });
  return fixture;
}
