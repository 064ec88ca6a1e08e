import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Env } from '../context.ts';

/**
 * Whoever comes back from a provider, or from their company, to our own pages must come back in the browser that went there. Otherwise somebody
 * could hand a stranger the end of their own way in, and the stranger would work in the wrong account, or would lend their
 * provider account to it. The cookie opens nothing; it only says that the way began here.
 */

const SECONDS = 5 * 60;
/** Where the ways through a provider end, and those through a company. */
type End = '/auth/v1/callback' | '/auth/v1/sso/saml/acs';

/** Marks the browser that a flow begins in. */
export function markBrowser(c: Context<Env>, state: string, end: End = '/auth/v1/callback'): void {
  setCookie(c, nameOf(state), '1', { ...optionsFor(c, end), httpOnly: true, sameSite: 'Lax', maxAge: SECONDS });
}

/** Whether a flow may end in this browser. One that leads to an allowed page elsewhere cannot be asked: its cookies are not ours. */
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
