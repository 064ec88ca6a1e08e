/** Where the browser keeps the session: small enough for the static pages, which load the identity client only if needed. */

/** The key the official client would choose: derived from the service's host. */
export const sessionKey = (serviceUrl: string): string => `sb-${new URL(serviceUrl).hostname.split('.')[0]}-auth-token`;

/** Address and publishable key of the backend, as the document names them. */
export function backendOf(document: Document): { url: string; key: string } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="supabase"]');
  return { url: meta?.content ?? location.origin, key: meta?.dataset['key'] ?? '' };
}

/** Whether the document says that a check for humans stands before signing in. */
export const asksForHumans = (document: Document): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="supabase"]')?.dataset['captcha'] !== undefined;

/** True when a session lies in this browser; it may still turn out to be over. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(sessionKey(backendOf(document).url)) !== null;
  } catch {
    // Storage can be forbidden by the browser's settings; then nobody is signed in.
    return false;
  }
}

/** Event of the window after a sign-in in this document. Waiting for it needs no identity client. */
export const SIGNED_IN = 'signed-in';
