import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AuthRequest } from '../context.ts';

// CSRF protection: a sign-in that returns from a provider or SSO must end in the browser that started it. Otherwise an
// attacker could sign a victim into the attacker's account, or link the victim's provider account to it. The cookie
// grants no access.

const MAX_AGE_SECONDS = 5 * 60;
const CALLBACK = '/auth/v1/callback';
type EndPath = typeof CALLBACK | '/auth/v1/sso/saml/acs';

export function setFlowCookie(c: AuthRequest, state: string, endPath: EndPath = CALLBACK): void {
  const options = { ...cookieOptions(c, endPath), httpOnly: true, sameSite: 'Lax', maxAge: MAX_AGE_SECONDS } as const;
  setCookie(c, cookieName(state), '1', options);
}

// Flows that end on an allowed page of another origin cannot be checked: their cookies are not ours.
export function hasFlowCookie(c: AuthRequest, flow: { id: string; redirectTo: string }, endPath: EndPath = CALLBACK) {
  const { siteUrl } = c.var.identity.config;
  const isMarked = getCookie(c, cookieName(flow.id), isSecure(c) ? 'secure' : undefined) === '1';
  if (isMarked) deleteCookie(c, cookieName(flow.id), cookieOptions(c, endPath));
  return isMarked || new URL(flow.redirectTo).origin !== siteUrl;
}

const cookieName = (state: string) => `flow-${state}`;
const isSecure = (c: AuthRequest) => c.var.identity.config.siteUrl.startsWith('https:');

const cookieOptions = (c: AuthRequest, path: EndPath) =>
  isSecure(c) ? ({ path, secure: true, prefix: 'secure' } as const) : { path };
