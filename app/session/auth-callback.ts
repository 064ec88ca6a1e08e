/** Parameters that a provider, or a mail of a hosted project, adds to the return address. */
const AUTH_PARAMS = ['access_token', 'error', 'error_code', 'error_description'];

export function hasAuthParams({ hash, search }: Pick<Location, 'hash' | 'search'>): boolean {
  const parts = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)];
  return parts.some((part) => AUTH_PARAMS.some((name) => part.has(name)));
}

/** Removes tokens from the address and the history, once the identity client has read them: it clears them later. */
export function cleanAddress(): void {
  if (!hasAuthParams(location)) return;
  const params = new URLSearchParams(location.search);
  for (const name of AUTH_PARAMS) params.delete(name);
  const search = params.size > 0 ? `?${params}` : '';
  const fragment = new URLSearchParams(location.hash.slice(1));
  const hash = AUTH_PARAMS.some((name) => fragment.has(name)) ? '' : location.hash;
  history.replaceState(history.state, '', location.pathname + search + hash);
}
