const MAX_DRAFTS = 5;

export const isDraftSecret = (text: string): boolean => /^([\w-]{43}|[\da-f]{64})$/.test(text);

/** `__Host-` requires TLS; plain http is only for development. */
const nameAt = (origin: string) => (origin.startsWith('https:') ? '__Host-drafts' : 'drafts');

export const draftSecret = (request: Request, origin: string, id: string): string | null =>
  pairs(request, origin).find(([known]) => known === id.toLowerCase())?.[1] ?? null;

/** A `Set-Cookie` with one more draft; only the newest five are kept. */
export function rememberDraft(request: Request, origin: string, id: string, secret: string): string {
  const others = pairs(request, origin).filter(([known]) => known !== id.toLowerCase());
  const kept = [[id.toLowerCase(), secret], ...others].slice(0, MAX_DRAFTS);
  const value = kept.map((pair) => pair.join('.')).join('~');
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${nameAt(origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${7 * 24 * 60 * 60}${secure}`;
}

function pairs(request: Request, origin: string): [id: string, secret: string][] {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const name = `${nameAt(origin)}=`;
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length) ?? '';
  const split = (pair: string): [string, string] => [pair.slice(0, 36).toLowerCase(), pair.slice(37)];
  const all = value.split('~').map(split);
  return all.filter(([, secret]) => isDraftSecret(secret)).slice(0, MAX_DRAFTS);
}
