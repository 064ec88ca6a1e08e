/** Parameters that a provider, or a mail of a hosted project, adds to the return address. */
const BROUGHT = ['access_token', 'error', 'error_code', 'error_description'];

export function bringsAnswer({ hash, search }: Pick<Location, 'hash' | 'search'>): boolean {
  const parts = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)];
  return parts.some((part) => BROUGHT.some((name) => part.has(name)));
}

/**
 * Removes tokens from address bar and history. Call it after the identity client has read them: it clears them later.
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
