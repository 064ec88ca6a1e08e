import type { IncomingMessage } from 'node:http';

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** True for an ambiguous request target (TM-43). @param mayLackHost for probes, which may use HTTP/1.0 */
export function isMalformed({ rawHeaders, headers, url }: IncomingMessage, mayLackHost: boolean): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  return !(hosts === 1 ? isHost(headers.host!) : hosts === 0 && mayLackHost) || !isReadable(url!);
}

const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`);

/** Services resolve these, while caches and limits compare the path as sent. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/#]|$)/i;

export function isReadable(url: string): boolean {
  const path = url.split('?', 1)[0]!;
  if (!url.startsWith('/') || DOT_SEGMENT.test(path)) return false;
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
