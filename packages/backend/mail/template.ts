import { resolve } from 'node:path';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { readIfPresent } from '../data-dir/durable-file.ts';

export type TemplateName = 'confirmation' | 'recovery' | 'magic_link' | 'invite' | 'email_change' | 'reauthentication';

export interface TemplateData {
  SiteURL: string;
  ConfirmationURL: string;
  Token: string;
  TokenHash: string;
  Email: string;
  SendingTo: string;
  RedirectTo: string;
  NewEmail?: string;
  Data: Record<string, unknown>;
}

type RenderedEmail = { subject: string; html: string; text: string };

const MAX_VALUE = 8192;

/** Security: values are substituted once and escaped, never interpreted as markup, header or template. */
export async function renderTemplate(
  project: SupabaseProject,
  name: TemplateName,
  data: TemplateData,
  layout?: RenderedEmail,
): Promise<RenderedEmail> {
  const { subject, html, text } = layout ?? (await readTemplate(project, name));
  return {
    subject: oneLine(fill(subject, data, oneLine)),
    html: fill(html, data, escapeHtml),
    text: fill(text, data, oneLine),
  };
}

async function readTemplate({ auth, folder }: SupabaseProject, name: TemplateName): Promise<RenderedEmail> {
  const plain = plainEmails[name];
  const { subject = plain.subject, content_path: path } = auth.email.template[name] ?? {};
  // The Supabase CLI reads these from the folder above `supabase/`.
  const places = path ? [`../${path}`, path, path.replace(/^(\.\/)?supabase\//, '')] : [`templates/${name}.html`];
  for (const place of places) {
    const html = await readIfPresent(resolve(folder, place));
    if (html !== null) return { subject, html, text: plain.text };
  }
  return { ...plain, subject };
}

function fill(template: string, data: TemplateData, escapeValue: (text: string) => string): string {
  return template.replace(/\{\{-?\s*\.([A-Za-z]+)(?:\.([A-Za-z_]\w*))?\s*-?\}\}/g, (_, name: string, key?: string) => {
    const value = key === undefined ? own(data, name) : own(own(data, name), key);
    return typeof value === 'string' || typeof value === 'number' ? escapeValue(String(value).slice(0, MAX_VALUE)) : '';
  });
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => oneLine(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!);

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a value would start a header or forge a paragraph.
export const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

const linkEmail = (subject: string, sentence: string, action: string): RenderedEmail => ({
  subject,
  html: `<p>${sentence}</p><p><a href="{{ .ConfirmationURL }}">${action}</a></p><p>Or type this code: <strong>{{ .Token }}</strong></p><p>If you didn’t request this, ignore this email.</p>`,
  text: `${sentence}\n\n${action}:\n{{ .ConfirmationURL }}\n\nOr type this code: {{ .Token }}\n\nIf you didn’t request this, ignore this email.\n`,
});

const plainEmails: Record<TemplateName, RenderedEmail> = {
  confirmation: linkEmail('Confirm your e-mail address', 'Confirm that this address is yours.', 'Confirm my address'),
  recovery: linkEmail(
    'Choose a new password',
    'Someone requested a new password for your account.',
    'Choose a new password',
  ),
  magic_link: linkEmail('Your sign-in link', 'Here is the link to sign in.', 'Sign in'),
  invite: linkEmail('You have been invited', 'You have been invited to make an account.', 'Accept the invitation'),
  email_change: linkEmail('Confirm your new address', 'Confirm the change of your address.', 'Confirm the change'),
  reauthentication: {
    subject: 'Your confirmation code',
    html: '<p>Type this code to confirm that it is you: <strong>{{ .Token }}</strong></p>',
    text: 'Type this code to confirm that it is you: {{ .Token }}\n',
  },
};
