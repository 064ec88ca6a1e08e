import { href } from 'react-router';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import type { DraftActions } from './model/draft-actions.ts';

/** Actions with a link's secret, which only the server can read from the cookie. */
export function actionsByLink(id: string): DraftActions {
  const ask = <Answer>(act: keyof DraftActions, ...given: unknown[]) => askServer<Answer>(id, act, given, null);
  return {
    find: () => ask('find'),
    makeLink: (name, until) => ask('makeLink', name, until),
    changeLink: (link, name, until) => ask('changeLink', link, name, until),
    revokeLink: (link) => ask('revokeLink', link),
    sendBack: (draft, said) => ask('sendBack', draft, said),
    async claim() {
      // Needs both: the secret proves the draft, the session names the account.
      const { data } = await clients().auth.getSession();
      return askServer(id, 'claim', [], data.session?.access_token ?? null);
    },
  };
}

async function askServer<Answer>(id: string, act: string, given: unknown[], token: string | null): Promise<Answer> {
  const response = await fetch(href('/drafts/:id/desk', { id }), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ act, given }),
  }).catch((error: unknown) => {
    throw new ApiError(String(error));
  });
  const said = (await response.json().catch(() => null)) as
    | { answer: Answer; reason?: undefined }
    | { reason: string; code?: string }
    | null
    | undefined;
  if (!said) throw new ApiError(words.failed);
  if (said.reason !== undefined) throw new ApiError(said.reason, said.code ?? null);
  return said.answer;
}
