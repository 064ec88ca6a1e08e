import { useEffect, useState } from 'react';
import { hasAuthParams } from './auth-callback.ts';
import { backendOf, hasStoredSession, SIGNED_IN, sessionKey } from './stored.ts';

export function useSignedIn() {
  const [user, setUser] = useState<User | null | undefined>();
  useEffect(() => watchUser(setUser), []);
  return user;
}

export type User = { id: string; email: string };

/** Loads the identity client only when a session exists or arrives. @returns a function that unsubscribes */
export function watchUser(listener: (user: User | null) => void): () => void {
  const controller = new AbortController();
  const report = (user: User | null) => controller.signal.aborted || listener(user);
  async function watch() {
    const { onSessionChange, signedIn } = await import('./current-user.ts');
    if (controller.signal.aborted) return;
    const refresh = () => void signedIn().then(report);
    controller.signal.addEventListener('abort', onSessionChange(refresh));
    refresh();
  }
  const watchQuietly = () => void watch().catch((error) => console.warn('the session is not known:', error));
  if (hasStoredSession() || hasAuthParams(location)) watchQuietly();
  else {
    report(null);
    const waiting = new AbortController();
    const signal = AbortSignal.any([controller.signal, waiting.signal]);
    const key = sessionKey(backendOf().url);
    const start = () => {
      waiting.abort();
      watchQuietly();
    };
    addEventListener('storage', (event) => event.key === key && event.newValue !== null && start(), { signal });
    addEventListener(SIGNED_IN, start, { signal });
  }
  return () => controller.abort();
}
