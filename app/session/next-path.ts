/** Characters browsers drop or turn into slashes when they read an address. */
const TREACHEROUS = /[\\\p{Cc}]/u;

/**
 * A path on our own origin to go to next, or `otherwise`: nobody is sent to another site by a link to ours.
 * @param next a path, or an absolute address on `origin`
 */
export function nextPath(next: string | null, origin: string, otherwise: string): string {
  if (!next || TREACHEROUS.test(next)) return otherwise;
  const url = URL.parse(next, origin);
  if (!url || url.origin !== origin || url.username || url.password) return otherwise;
  // A path that begins with two slashes names another host when it is read again.
  return url.pathname.startsWith('//') ? otherwise : url.pathname + url.search + url.hash;
}
