/** What a provider, or a mail of a hosted project, puts into the address it leads back to. */
const BROUGHT = ['access_token', 'error', 'error_code', 'error_description'];

/** Whether an address brings a session, or the reason why there is none. */
export function bringsAnswer({ hash, search }: Pick<Location, 'hash' | 'search'>): boolean {
  const parts = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)];
  return parts.some((part) => BROUGHT.some((name) => part.has(name)));
}

/**
 * Takes tokens and reasons out of the address bar and the history, at once. Call it when the identity client has read
 * them: it clears them itself only after a request, and leaves them one step back.
 */
export function cleanAddress(): void {
  if (!bringsAnswer(location)) return;
  const kept = new URLSearchParams(location.search);
  for (const name of BROUGHT) kept.delete(name);
  const search = kept.size > 0 ? `?${kept}` : '';
  const fragment = new URLSearchParams(location.hash.slice(1));
  const hash = BROUGHT.some((name) => fragment.has(name)) ? '' : location.hash;
  history.replaceState(history.state, '', location.pathname + search + hash);
}
