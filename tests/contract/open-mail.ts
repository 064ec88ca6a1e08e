import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readConfig } from '../../packages/backend/config/config.ts';
import { readProject } from '../../packages/backend/config/supabase-config.ts';
import type { BackendContext } from '../../packages/backend/context.ts';
import type { Database } from '../../packages/backend/database/database.ts';
import { createMail, type Mail, type MailTransport, openTransport } from '../../packages/backend/mail/index.ts';
import { emailLayout } from '../../supabase/templates/layout.ts';
import { silent } from '../database.ts';

const project = await readProject(join(import.meta.dirname, '..', '..', 'supabase'));
const sealing = randomBytes(32);

interface MailOptions {
  keys?: { sealing: Buffer };
  change?: (carrier: MailTransport) => MailTransport;
}

/**
 * Starts the mail queue like the backend does.
 * @param options `keys`: that encrypt what is queued, by default the same for all of a file; `change`: replaces the transport
 */
export function openMail(
  db: Database,
  settings: Record<string, string>,
  { keys = { sealing }, change = (carrier) => carrier }: MailOptions = {},
): Promise<Mail> {
  const config = readConfig({ MAIL_FROM: 'Madhouse <hello@madhouse.example>', ...settings });
  const context = { config, project, db, log: silent, keys, emailLayout } as unknown as BackendContext;
  return createMail(context, change(openTransport(context)));
}
