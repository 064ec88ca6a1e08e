import { html } from 'hono/html';
import type { Letter } from '../index.ts';
import { oneLine } from '../template.ts';

export interface ReviewStep {
  id: string;
  project_id: string;
  kind: 'asked' | 'declined' | 'published' | 'reopened' | 'sent_back' | 'link';
  words: string | null;
  given_at: Date;
  mail_to: string;
  title: string;
}

export interface Way {
  address: string;
  until: Date | null;
}

const LONGEST_TITLE = 80;

const SAYS: Record<ReviewStep['kind'], { subject: (title: string) => string; says: string; action: string }> = {
  asked: {
    subject: (title) => `Before we publish “${title}”`,
    says: 'We read your experiment and would like you to change something:',
    action: 'Open your draft, change it and send it back',
  },
  declined: {
    subject: (title) => `About “${title}”`,
    says: 'We read your experiment and will not publish it. This is why:',
    action: 'Read your draft',
  },
  published: {
    subject: (title) => `“${title}” is published`,
    says: 'Your experiment is part of our portfolio now. Thank you.',
    action: 'See it',
  },
  link: {
    subject: (title) => `A new link to “${title}”`,
    says: 'Here is a new link to your draft.',
    action: 'Open your draft',
  },
  reopened: {
    subject: (title) => `About “${title}”`,
    says: 'We are reading your experiment again.',
    action: 'Open it',
  },
  sent_back: { subject: (title) => `About “${title}”`, says: 'We have your changes.', action: 'Open it' },
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Replies go to the agency. @param agency the agency's mailbox */
export function emailFor(step: ReviewStep, way: Way, agency: string): Letter {
  const { subject, says, action } = SAYS[step.kind];
  const title = oneLine(step.title).slice(0, LONGEST_TITLE);
  const end = way.until && `The link is yours alone and works until ${day.format(way.until)}.`;
  return {
    to: step.mail_to,
    subject: subject(title),
    replyTo: { name: '', address: agency },
    text: [`“${title}”`, says, step.words, `${action}:\n${way.address}`, end].filter(Boolean).join('\n\n').concat('\n'),
    html: String(
      html`<p><strong>${title}</strong></p><p>${says}</p>${
        step.words &&
        html`<blockquote style="margin:0;padding-left:16px;border-left:4px solid #ee3a12;white-space:pre-wrap">${step.words}</blockquote>`
      }<p><a href="${way.address}">${action}</a></p>${end && html`<p>${end}</p>`}`,
    ),
  };
}
