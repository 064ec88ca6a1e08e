import { useEffect, useState } from 'react';
import { bringsAnswer } from './auth-callback.ts';
import { backendOf, hasStoredSession, SIGNED_IN, sessionKey } from './stored.ts';

/** Who is signed in: undefined while that is being found out, null for nobody. */
export function useSignedIn() {
  const [user, setUser] = useState<User | null | undefined>();
  useEffect(() => watchUser(setUser), []);
  return user;
}

/** Who is signed in, as far as a form needs to know. */
export interface User {
  id: string;
  email: string;
}

/**
 * Reports who is signed in, at first and after each change; null for nobody. The identity client is loaded only where
 * there is a session, or where the address brings one. Returns a stop.
 */
export function watchUser(listener: (user: User | null) => void): () => void {
  const end = new AbortController();
  const report = (user: User | null) => end.signal.aborted || listener(user);
  async function watch() {
    const { onSessionChange, signedIn } = await import('./current-user.ts');
    if (end.signal.aborted) return;
    const look = () => void signedIn().then(report);
    end.signal.addEventListener('abort', onSessionChange(look));
    look();
  }
  const watchQuietly = () => void watch().catch((error) => console.warn('the session is not known:', error));
  if (hasStoredSession() || bringsAnswer(location)) watchQuietly();
  else {
    report(null);
    // Another tab signs in, or a form of this page does.
    const waiting = new AbortController();
    const signal = AbortSignal.any([end.signal, waiting.signal]);
    const key = sessionKey(backendOf(document).url);
    const start = () => {
      waiting.abort();
      watchQuietly();
    };
    addEventListener('storage', (event) => event.key === key && event.newValue !== null && start(), { signal });
    addEventListener(SIGNED_IN, start, { signal });
  }
  return () => end.abort();
}
