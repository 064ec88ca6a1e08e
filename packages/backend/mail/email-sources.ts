import { hash } from 'node:crypto';
import { html } from 'hono/html';
import type { BackendContext } from '../context.ts';
import { findRow } from '../database/database.ts';
import { derivedSecret } from '../keys/encrypt.ts';
import type { Email, EmailSource } from './index.ts';
import { oneLine } from './template.ts';

const MAX_TITLE_LENGTH = 80;

const TEXTS = {
  changes_requested: [
    'Before we publish TITLE',
    'We read your experiment and would like you to change something:',
    'Open your draft, change it and send it back',
  ],
  declined: ['About TITLE', 'We read your experiment and will not publish it. This is why:', 'Read your draft'],
  published: ['TITLE is published', 'Your experiment is part of our portfolio now. Thank you.', 'See it'],
  link: ['A new link to TITLE', 'Here is a new link to your draft.', 'Open your draft'],
  reopened: ['About TITLE', 'We are reading your experiment again.', 'Open it'],
  sent_back: ['About TITLE', 'We have your changes.', 'Open it'],
} satisfies Record<string, [subject: string, sentence: string, action: string]>;

type ReviewStep = Record<'id' | 'project_id' | 'mail_to' | 'title', string> & {
  kind: keyof typeof TEXTS;
  words: string | null;
};

export const reviewSteps: EmailSource = {
  async email(context, id) {
    const step = await findRow<ReviewStep>(context.db, 'select * from private.unmailed_review_step($1)', [id]);
    return step && reviewEmail(step, await draftLink(context, step), await agencyMailbox(context));
  },
  markSent: (id) => ({ text: 'select private.review_step_mailed($1)', values: [id] }),
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function reviewEmail(step: ReviewStep, link: Awaited<ReturnType<typeof draftLink>>, agency: string): Email {
  const [subject, sentence, action] = TEXTS[step.kind];
  const title = oneLine(step.title).slice(0, MAX_TITLE_LENGTH);
  const end = link.until && `The link is yours alone and works until ${day.format(link.until)}.`;
  return {
    to: step.mail_to,
    subject: subject.replace('TITLE', () => `“${title}”`),
    replyTo: { name: '', address: agency },
    text: `${[`“${title}”`, sentence, step.words, `${action}:\n${link.address}`, end].filter(Boolean).join('\n\n')}\n`,
    html: String(
      html`<p><strong>${title}</strong></p><p>${sentence}</p>${
        step.words &&
        html`<blockquote style="margin:0;padding-left:16px;border-left:4px solid currentColor;white-space:pre-wrap">${step.words}</blockquote>`
      }<p><a href="${link.address}">${action}</a></p>${end && html`<p>${end}</p>`}`,
    ),
  };
}

async function draftLink({ db, config, keys }: BackendContext, { id, project_id }: ReviewStep) {
  const address = `${config.siteUrl}/case-studies/${project_id}`;
  const secret = derivedSecret(keys, 'links to drafts', id).toString('base64url');
  const text = 'select private.create_review_step_link($1, $2) as until';
  const { until } = (await findRow<{ until: Date | null }>(db, text, [id, hash('sha256', secret, 'buffer')]))!;
  return { address: until ? `${address}?draft=${secret}` : address, until };
}

type ContactMessage = { id: string; created_at: Date; name: string; email: string; message: string };

const MAX_NAME_LENGTH = 80;

export const contactMessages: EmailSource = {
  async email(context, id) {
    const message = await findRow<ContactMessage>(context.db, 'select * from private.unmailed_message($1)', [id]);
    return message && contactEmail(message, await agencyMailbox(context));
  },
  markSent: (id) => ({ text: 'select private.message_mailed($1)', values: [id] }),
};

function contactEmail({ name, email, message, created_at }: ContactMessage, to: string): Email {
  const sender = oneLine(name).slice(0, MAX_NAME_LENGTH);
  const about = `${sender} <${email}> wrote on ${created_at.toUTCString()}:`;
  return {
    to,
    subject: `Message from ${sender}`,
    replyTo: { name: sender, address: email },
    text: `${about}\n\n${message}\n`,
    html: String(html`<p>${about}</p><p style="white-space:pre-wrap">${message}</p>`),
  };
}

export const turnedOffWebhooks: EmailSource = {
  async email(context, id) {
    const text = 'select * from private.turned_off_webhook($1)';
    const webhook = await findRow<{ url: string; failing_since: Date | null }>(context.db, text, [id]);
    if (!webhook) return null;
    const address = `${context.config.siteUrl}/admin/settings#webhooks`;
    const host = URL.parse(webhook.url)?.host ?? webhook.url;
    const since = webhook.failing_since ? ` No event has reached it since ${day.format(webhook.failing_since)}.` : '';
    return linkEmail(await agencyMailbox(context), {
      subject: `The webhook to ${host} is turned off`,
      sentences: [`We turned off the webhook to ${host}.${since}`],
      action: 'See why, and turn it on again',
      address,
    });
  },
};

export const farewells: EmailSource = {
  async email(context, id) {
    const { db, config } = context;
    const user = await findRow<{ email: string }>(db, 'select email from private.farewell_mails where id = $1', [id]);
    if (!user) return null;
    const email = linkEmail(user.email, {
      subject: 'Your account is deleted',
      sentences: [
        'Your account was deleted from your account page, and you are signed out everywhere.',
        'If that was not you, answer this email.',
      ],
      action: 'Visit our site',
      address: config.siteUrl,
    });
    return { ...email, replyTo: { name: '', address: await agencyMailbox(context) } };
  },
  markSent: (id) => ({ text: 'delete from private.farewell_mails where id = $1', values: [id] }),
};

type LinkWords = { subject: string; sentences: string[]; action: string; address: string };

const linkEmail = (to: string, { subject, sentences, action, address }: LinkWords): Email => ({
  to,
  subject,
  text: `${[...sentences, `${action}:\n${address}`].join('\n\n')}\n`,
  html: String(html`${sentences.map((one) => html`<p>${one}</p>`)}<p><a href="${address}">${action}</a></p>`),
});

type Notice = { mail_to: string } & (
  | { kind: 'submission'; data: { id: string; title: string } }
  | { kind: 'message'; data: { id: string } }
  | { kind: 'comment'; data: { id: string; title: string; approved: boolean; submission: boolean } }
  | { kind: 'schedule'; data: { id: string; of: 'project' | 'page'; title: string; kind: string; problem?: string } }
  | { kind: 'digest'; data: { since: string; submissions: number; messages: number; waiting: number } }
);

export const notices: EmailSource = {
  async email(context, id) {
    const { db, config } = context;
    const notice = await findRow<Notice>(db, 'select * from private.due_notice($1)', [id]);
    // No message twice to one mailbox.
    const informed = notice?.kind === 'message' ? await agencyMailbox(context) : '';
    if (!notice || notice.mail_to.toLowerCase() === informed.toLowerCase()) return null;
    const { path, sentences, ...words } = noticeWords(notice);
    const why = `You chose these emails in your account: ${config.siteUrl}/account`;
    return linkEmail(notice.mail_to, { ...words, sentences: [...sentences, why], address: config.siteUrl + path });
  },
  markSent: (id) => ({ text: 'select private.notice_mailed($1)', values: [id] }),
};

const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function noticeWords({ kind, data }: Notice): Omit<LinkWords, 'address'> & { path: string } {
  const title = 'title' in data ? oneLine(data.title).slice(0, MAX_TITLE_LENGTH) : '';
  if (kind === 'message') {
    const subject = 'A new message from the contact form';
    const sentences = ['Someone wrote to the agency.'];
    return { subject, sentences, action: 'Read the message', path: '/admin/messages' };
  }
  if (kind === 'submission') {
    const sentences = [`“${title}” waits for an answer.`];
    return { subject: `New submission: “${title}”`, sentences, action: 'Review it', path: `/admin/review/${data.id}` };
  }
  if (kind === 'comment')
    return {
      subject: data.approved ? `“${title}” is approved` : `New comment on “${title}”`,
      sentences: [`A client ${data.approved ? 'approved' : 'commented on'} “${title}”.`],
      action: data.approved ? 'Open it' : 'Read and answer the comment',
      path: `/admin/${data.submission ? 'review' : 'projects'}/${data.id}`,
    };
  if (kind === 'schedule') {
    const outcome = `${data.problem ? 'was not' : 'is'} ${data.kind}ed`;
    return {
      subject: `“${title}” ${outcome}${data.problem ? ' at its date' : ''}`,
      sentences: [`“${title}” ${outcome} as scheduled.`, ...(data.problem ? [data.problem] : [])],
      action: data.problem ? 'Decide what happens' : 'Open it',
      path: `/admin/${data.of}s/${data.id}`,
    };
  }
  const submissions = counted(data.submissions, 'submission', 'submissions');
  const messages = counted(data.messages, 'message', 'messages');
  const waiting = counted(data.waiting, 'submission waits', 'submissions wait');
  const since = `Since ${day.format(new Date(data.since))}`;
  const sentences = [`${since}, ${submissions} and ${messages} arrived.`, `${waiting} for an answer.`];
  return { subject: `${since}: ${submissions}, ${messages}`, sentences, action: 'Open the dashboard', path: '/admin' };
}

const MAILBOX = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

export async function agencyMailbox({ db, config }: BackendContext): Promise<string> {
  const text = 'select private.agency_mailbox() as mailbox';
  const { mailbox } = (await findRow<{ mailbox: string | null }>(db, text))!;
  return mailbox && MAILBOX.test(mailbox) ? mailbox : mailboxIn(config.mail.from);
}

export const mailboxIn = (from: string): string => (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
