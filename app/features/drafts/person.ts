import { isbot } from 'isbot';

/** Excludes preview robots and prefetching. Only called where the cookie opened the draft, which robots do not send. */
export function isOpenedByPerson({ method, headers }: Request): boolean {
  if (method !== 'GET') return false;
  if (
    /prefetch|prerender|preview/i.test(
      `${headers.get('sec-purpose')} ${headers.get('purpose')} ${headers.get('x-moz')}`,
    )
  )
    return false;
  const agent = headers.get('user-agent') ?? '';
  return agent.startsWith('Mozilla/') && !isbot(agent);
}
