// Separate file for static pages, which load the identity client only if needed.

type StorageArea = 'localStorage' | 'sessionStorage';

/** Null also when storage is blocked by the browser's settings. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/** @param value null removes it; nothing is stored where storage is blocked or full */
export function writeStored(area: StorageArea, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
  } catch {}
}

export const sessionKey = (serviceUrl: string): string => `sb-${new URL(serviceUrl).hostname.split('.')[0]}-auth-token`;

/** The installation's facts for scripts, which root.tsx writes into every page. */
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
export const hasStoredSession = (): boolean => readStored('localStorage', sessionKey(backendOf().url)) !== null;

export function storedUser(): { id: string } | null {
  const session = readStored('localStorage', sessionKey(backendOf().url));
  return session && JSON.parse(session).user;
}

/** Window event after a sign-in in this document; needs no identity client. */
export const SIGNED_IN = 'signed-in';
