import { isbot } from 'isbot';

/** Excludes link previews and prefetching. Only called for requests with the draft cookie, which robots do not send. */
export function isOpenedByPerson({ method, headers }: Request): boolean {
  if (method !== 'GET') return false;
  const purpose = `${headers.get('sec-purpose')} ${headers.get('purpose')} ${headers.get('x-moz')}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const userAgent = headers.get('user-agent') ?? '';
  return userAgent.startsWith('Mozilla/') && !isbot(userAgent);
}
