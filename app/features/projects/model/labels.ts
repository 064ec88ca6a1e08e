import type { Shares } from '#features/credits/model/credits.ts';
import { type Media, STORED } from '#features/media/model/media.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { dollars } from '#lib/data/money.ts';
import { creditWords } from '#lib/words/credits.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import type { Project } from './read.ts';

const CARD_EXCERPT = 150;
const SOCIAL_DESCRIPTION = 160;
const PICTURE_ENDING = /\.(jpe?g|png|gif|webp|svg)$/i;

/** Lower case, only word characters of any script, spaces to single hyphens. */
export const slugOf = ({ title }: { title: string }): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '');

/** `/case-studies/{id}/{slug}`, without slug when the title has no word characters. */
export const addressOf = (project: { id: string; title: string }): string =>
  ['/case-studies' satisfies PagePath, project.id, encodeURIComponent(slugOf(project))].filter(Boolean).join('/');

/** Cuts to `limit` characters including three dots; text of exactly `limit` is unchanged. */
function shorten(text: string, limit: number): string {
  // Counts at most 2 × limit UTF-16 units, because a character has at most two.
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length > limit ? `${characters.slice(0, limit - 3).join('')}...` : text;
}

/** At least the first `limit` characters. Parses as little HTML as possible, because a list has many cards. */
function beginningOf(html: string, limit: number): string {
  for (let length = 3 * limit; length < html.length; length *= 4) {
    const text = plainText(html.slice(0, length));
    // A word or entity cut in half must be beyond the shown text.
    if ([...text].length > limit + 20) return text;
  }
  return plainText(html);
}

export const excerptOf = ({ description }: { description: string | null }): string =>
  shorten(beginningOf(description ?? '', CARD_EXCERPT), CARD_EXCERPT) || 'No description available';

/** Plain text for link previews; empty when there is no text in the HTML. */
export const socialDescription = (html: string | null | undefined): string =>
  shorten(beginningOf(html ?? '', SOCIAL_DESCRIPTION), SOCIAL_DESCRIPTION);

export const clientOf = ({ client }: { client: string | null }): string => client?.trim() || 'Client confidential';

type Pictured = { project_media: Media[] };
type PictureHosts = { pictureHosts: readonly string[] };

export function coverPicture({ project_media }: Pictured, { pictureHosts }: PictureHosts): Media | null {
  const pictures = project_media.filter(({ type, url }) => type === 'image' && isPictureAddress(url, pictureHosts));
  return pictures.find(({ is_cover }) => is_cover) ?? pictures[0] ?? null;
}

/** The cover picture, or the first trusted poster of a video. Null when there is none and the default cover is used. */
export function coverOf(experiment: Pictured, hosts: PictureHosts): Media | null {
  const posters = experiment.project_media.flatMap(({ type, poster: url, title }): Media[] =>
    type === 'video' && url ? [{ type: 'image', url, title, width: null, height: null, placeholder: null }] : [],
  );
  return coverPicture(experiment, hosts) ?? coverPicture({ project_media: posters }, hosts);
}

/** Our own store detects images by content, and accepts AVIF too. */
function isPictureAddress(address: string, pictureHosts: readonly string[]): boolean {
  const url = URL.parse(address, 'https://here.invalid');
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return PICTURE_ENDING.test(url.pathname) || url.pathname.startsWith(STORED) || pictureHosts.includes(url.hostname);
}

/** Such as `EXP 0014 · Branding · 2026 · Hand 60 Machine 40`; without a number until published. No line ends in a dot. */
export function slipOf(
  { number, created_at }: Pick<Project, 'number' | 'created_at'>,
  category: string | null,
  shares: Shares | null = null,
): string {
  const label = number && `EXP ${String(number).padStart(4, '0')}`;
  const parts = [label, category, created_at.slice(0, 4), shares && creditWords.share(shares.hand)];
  return parts.filter(Boolean).join(' ·\u00a0');
}

/** The formatted budget; null when there is none or it is not public. Zero is a budget. */
export const budgetOf = ({ budget, show_budget }: { budget: number | null; show_budget: boolean }): string | null =>
  budget === null || !show_budget ? null : dollars(budget);
