import { isbot } from 'isbot';

/**
 * Whether a person opens this page, as far as can be told: not a robot that draws a preview of a link, and not a browser
 * that fetches ahead. Robots say who they are, and bring no cookie; this is asked where the cookie opened the draft.
 */
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
