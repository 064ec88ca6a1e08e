/** Small enough for the static pages, which load the identity client only if needed. */

export const sessionKey = (serviceUrl: string): string => `sb-${new URL(serviceUrl).hostname.split('.')[0]}-auth-token`;

export function backendOf(document: Document): { url: string; key: string } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="supabase"]');
  return { url: meta?.content ?? location.origin, key: meta?.dataset['key'] ?? '' };
}

export const asksForHumans = (document: Document): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="supabase"]')?.dataset['captcha'] !== undefined;

/** Whether this browser stores a session, which may have expired. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(sessionKey(backendOf(document).url)) !== null;
  } catch {
    // Storage can be blocked by the browser's settings.
    return false;
  }
}

/** Window event after a sign-in in this document; needs no identity client. */
export const SIGNED_IN = 'signed-in';
