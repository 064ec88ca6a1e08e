/** Keeps the right to read a guest's draft after its link was opened: the address is cleaned, the cookie remembers. */

const SECRET = /^([\w-]{43}|[\da-f]{64})$/;
const KEPT = 5;
const WEEK = 7 * 24 * 60 * 60;

export const isDraftSecret = (text: string): boolean => SECRET.test(text);

/** `__Host-` needs TLS; over plain http, which is for one's own machine, the cookie goes by its short name. */
const nameAt = (origin: string) => (origin.startsWith('https:') ? '__Host-drafts' : 'drafts');

/** The secret for an experiment that an earlier visit brought along; null when there is none. */
export function draftSecret(request: Request, origin: string, id: string): string | null {
  return pairs(request, origin).find(([known]) => known === id.toLowerCase())?.[1] ?? null;
}

/** The `Set-Cookie` that remembers one more draft, and forgets all but the newest five. */
export function rememberDraft(request: Request, origin: string, id: string, secret: string): string {
  const others = pairs(request, origin).filter(([known]) => known !== id.toLowerCase());
  const value = [[id.toLowerCase(), secret], ...others]
    .slice(0, KEPT)
    .map((pair) => pair.join('.'))
    .join('~');
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${nameAt(origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${WEEK}${secure}`;
}

function pairs(request: Request, origin: string): [id: string, secret: string][] {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const name = `${nameAt(origin)}=`;
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length) ?? '';
  return value
    .split('~')
    .map((pair): [string, string] => [pair.slice(0, 36).toLowerCase(), pair.slice(37)])
    .filter(([, secret]) => isDraftSecret(secret))
    .slice(0, KEPT);
}
