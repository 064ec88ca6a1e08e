import type { BackendContext } from '../context.ts';

const MAILBOX = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

export async function agencyMailbox({ db, config }: BackendContext): Promise<string> {
  const { rows } = await db.query<{ mailbox: string | null }>('select private.agency_mailbox() as mailbox');
  const configured = rows[0]!.mailbox;
  return configured && MAILBOX.test(configured) ? configured : mailboxIn(config.mail.from);
}

const mailboxIn = (from: string): string => (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
