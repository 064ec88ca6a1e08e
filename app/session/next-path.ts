const UNSAFE_CHARACTERS = /[\\\p{Cc}]/u;

/** Prevents open redirects: a path on our own origin. @param next path, or absolute address on `origin` */
export function nextPath(next: string | null, origin: string, otherwise: string): string {
  if (!next || UNSAFE_CHARACTERS.test(next)) return otherwise;
  const url = URL.parse(next, origin);
  if (!url || url.origin !== origin || url.username || url.password) return otherwise;
  // A path that begins with two slashes names another host when it is parsed again.
  return url.pathname.startsWith('//') ? otherwise : url.pathname + url.search + url.hash;
}
