import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { BackendContext } from '../../context.ts';
import type { Keys } from '../../http/keys.ts';
import { agencyMailbox, type QueuedRows } from '../queue.ts';
import { emailFor, type ReviewStep, type Way } from './email.ts';

/** Answers to submissions, mailed to whoever sent them in, with a link to the draft. */
export const reviewSteps: QueuedRows = {
  channel: 'review_step',
  routine: 'private.unmailed_review_steps(uuid[])',
  async waiting(context, refused) {
    const { rows } = await context.db.query<ReviewStep>('select * from private.unmailed_review_steps($1)', [refused]);
    if (rows.length === 0) return [];
    const agency = await agencyMailbox(context);
    return rows.map((step) => ({
      id: step.id,
      letter: async () => emailFor(step, await wayTo(context, step), agency),
    }));
  },
  backlog: `select count(*)::int as waiting, min(given_at) as oldest from public.review_steps
     where mail_to is not null and mailed_at is null`,
  mailed: ({ db }, id) => db.query('select private.review_step_mailed($1)', [id]).then(() => {}),
};

async function wayTo({ db, config, keys }: BackendContext, { id, project_id }: ReviewStep): Promise<Way> {
  const address = `${config.siteUrl}/case-studies/${project_id}`;
  const secret = secretOf(keys, id);
  const hash = createHash('sha256').update(secret).digest();
  const { rows } = await db.query<{ until: Date | null }>('select private.link_of_step($1, $2) as until', [id, hash]);
  const until = rows[0]!.until;
  return until ? { address: `${address}?draft=${secret}`, until } : { address, until: null };
}

/** Made from the step, not drawn: a mail that is sent twice carries the same link, and the database never holds it. */
const secretOf = ({ sealing }: Pick<Keys, 'sealing'>, step: string): string =>
  createHmac('sha256', new Uint8Array(hkdfSync('sha256', sealing, '', 'links to drafts', 32)))
    .update(step)
    .digest('base64url');
