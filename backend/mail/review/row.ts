import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { BackendContext } from '../../context.ts';
import type { Keys } from '../../http/keys.ts';
import { agencyMailbox } from '../agency-mailbox.ts';
import type { MailedRows } from '../index.ts';
import { emailFor, type ReviewStep, type Way } from './email.ts';

export const reviewSteps: MailedRows = {
  async letter(context, id) {
    const { rows } = await context.db.query<ReviewStep>('select * from private.unmailed_review_step($1)', [id]);
    const [step] = rows;
    return step ? emailFor(step, await wayTo(context, step), await agencyMailbox(context)) : null;
  },
  mailed: (id) => ({ text: 'select private.review_step_mailed($1)', values: [id] }),
};

async function wayTo({ db, config, keys }: BackendContext, { id, project_id }: ReviewStep): Promise<Way> {
  const address = `${config.siteUrl}/case-studies/${project_id}`;
  const secret = secretOf(keys, id);
  const hash = createHash('sha256').update(secret).digest();
  const { rows } = await db.query<{ until: Date | null }>('select private.link_of_step($1, $2) as until', [id, hash]);
  const until = rows[0]!.until;
  return until ? { address: `${address}?draft=${secret}`, until } : { address, until: null };
}

/** Derived instead of random: a retried e-mail has the same link, and the database never holds the secret. */
const secretOf = ({ sealing }: Pick<Keys, 'sealing'>, step: string): string =>
  createHmac('sha256', new Uint8Array(hkdfSync('sha256', sealing, '', 'links to drafts', 32)))
    .update(step)
    .digest('base64url');
