import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Env } from '../context.ts';

// CSRF protection: a sign-in that returns from a provider or SSO must end in the browser that started it. Otherwise an
// attacker could sign a victim into the attacker's account, or link the victim's provider account to it. The cookie
// grants no access.

const SECONDS = 5 * 60;
type End = '/auth/v1/callback' | '/auth/v1/sso/saml/acs';

export function markBrowser(c: Context<Env>, state: string, end: End = '/auth/v1/callback'): void {
  setCookie(c, nameOf(state), '1', { ...optionsFor(c, end), httpOnly: true, sameSite: 'Lax', maxAge: SECONDS });
}

// Flows that end on an allowed page of another origin cannot be checked: their cookies are not ours.
export function isItsBrowser(
  c: Context<Env>,
  flow: { id: string; redirectTo: string },
  end: End = '/auth/v1/callback',
): boolean {
  const { siteUrl } = c.var.identity.config;
  const marked = getCookie(c, nameOf(flow.id), prefixFor(c)) === '1';
  if (marked) deleteCookie(c, nameOf(flow.id), optionsFor(c, end));
  return marked || new URL(flow.redirectTo).origin !== siteUrl;
}

const nameOf = (state: string) => `flow-${state}`;
const isSecure = (c: Context<Env>) => c.var.identity.config.siteUrl.startsWith('https:');
const prefixFor = (c: Context<Env>) => (isSecure(c) ? 'secure' : undefined);

function optionsFor(c: Context<Env>, path: End) {
  return isSecure(c) ? ({ path, secure: true, prefix: 'secure' } as const) : { path };
}
