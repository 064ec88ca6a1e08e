/** Small enough for the static pages, which load the identity client only if needed. */

export const sessionKey = (serviceUrl: string): string => `sb-${new URL(serviceUrl).hostname.split('.')[0]}-auth-token`;

/** What every page tells its scripts about the installation (root.tsx). */
export function pageSettings(): { url: string; data: DOMStringMap } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="supabase"]');
  return { url: meta?.content ?? location.origin, data: meta?.dataset ?? {} };
}

export function backendOf(): { url: string; key: string } {
  const { url, data } = pageSettings();
  return { url, key: data['key'] ?? '' };
}

export const asksForHumans = (): boolean => pageSettings().data['captcha'] !== undefined;

/** Whether this browser stores a session, which may have expired. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(sessionKey(backendOf().url)) !== null;
  } catch {
    // Storage can be blocked by the browser's settings.
    return false;
  }
}

/** Window event after a sign-in in this document; needs no identity client. */
export const SIGNED_IN = 'signed-in';
