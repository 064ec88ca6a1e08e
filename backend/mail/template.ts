import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { plainLetters } from './plain-emails.ts';

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

interface Filled {
  subject: string;
  html: string;
  text: string;
}

const MAX_VALUE = 2048;

/**
 * Renders the project's template, else a plain default. Security: values are substituted once and escaped, so that user
 * input is never interpreted as markup, header or template.
 */
export async function fillTemplate(project: SupabaseProject, name: TemplateName, data: TemplateData): Promise<Filled> {
  const plain = plainLetters[name];
  const given = project.auth.email.template[name];
  const html = await firstFile(
    given?.content_path
      ? // The Supabase CLI reads these from the folder above `supabase/`.
        [
          resolve(project.folder, '..', given.content_path),
          resolve(project.folder, given.content_path),
          resolve(project.folder, given.content_path.replace(/^(\.\/)?supabase\//, '')),
        ]
      : [resolve(project.folder, 'templates', `${name}.html`)],
  );
  const text = await firstFile([resolve(project.folder, 'templates', `${name}.txt`)]);
  return {
    subject: oneLine(fill(given?.subject ?? plain.subject, data, asText)),
    html: fill(html ?? plain.html, data, escapeHtml),
    text: fill(text ?? plain.text, data, asText),
  };
}

async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return null;
}

function fill(template: string, data: TemplateData, shown: (text: string) => string): string {
  return template.replace(/\{\{-?\s*\.([A-Za-z]+)(?:\.([A-Za-z_]\w*))?\s*-?\}\}/g, (_, name: string, key?: string) => {
    const value = key === undefined ? own(data, name) : own(own(data, name), key);
    return typeof value === 'string' || typeof value === 'number' ? shown(String(value).slice(0, MAX_VALUE)) : '';
  });
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => oneLine(text).replace(/[&<>"']/g, (letter) => ESCAPES[letter]!);
const asText = (text: string) => oneLine(text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a value would start a header or forge a paragraph.
export const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
