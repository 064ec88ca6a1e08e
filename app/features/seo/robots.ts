import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import type { Route } from './+types/robots';
import { feed } from './answer.ts';

const CLOSED = [
  '/admin',
  '/admin-setup',
  '/admin-help',
  '/admin-login',
  '/upload-project',
  '/cleanup',
  '/verify-user',
  '/sign-in',
  '/sign-up',
  '/sign-out',
  '/confirm',
  '/reset-password',
  '/account',
  '/captcha',
] satisfies PagePath[];
const CLOSED_PREFIXES = ['/*?draft=', '/*?*&draft=', '/auth/v1/', '/rest/v1/', '/functions/v1/'];

export const handle: PageHandle = { knows: [] };

/** Advisory only; access is enforced elsewhere. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(siteContext).settings;
  // A rule is a prefix: `/account` would also disallow a page named `/accounting`.
  const rules = [...CLOSED.flatMap((path) => [`${path}$`, `${path}/`, `${path}?`]), ...CLOSED_PREFIXES];
  const lines = rules.map((rule) => `Disallow: ${rule}\n`).join('');
  return feed('text/plain', `User-agent: *\n${lines}\nSitemap: ${origin}${href('/sitemap.xml')}\n`);
}
