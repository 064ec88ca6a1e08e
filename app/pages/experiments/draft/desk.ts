import { ApiError } from '../../../models/data/api-error.ts';
import { draftActions } from '../../../models/submission/draft-actions.ts';
import { FormBodyError, readJson } from '../../../session/csrf.ts';
import { siteContext } from '../../../session/site-context.ts';
import type { Route } from './+types/desk';
import { draftSecret } from './draft-cookie.ts';

/** Four texts of 100 KB in JSON, and what belongs to them. */
const LARGEST = 1024 * 1024;

/**
 * What the holder of a link does at the desk of their draft: no script can read the cookie with its secret, so the
 * server asks in its name. `{ act, given }` in, `{ answer }` or `{ reason, code }` out.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { settings, data } = context.get(siteContext);
  try {
    const asked = (await readJson(request, LARGEST)) as { act?: unknown; given?: unknown } | null | undefined;
    if (typeof asked?.act !== 'string' || !Array.isArray(asked.given))
      return answer(400, { reason: 'Nothing was asked.' });
    const secret = draftSecret(request, settings.origin, params.id) ?? undefined;
    const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    const desk = draftActions(data(secret, token), params.id);
    if (!Object.hasOwn(desk, asked.act)) return answer(400, { reason: 'Nothing of the kind can be done.' });
    const act = desk[asked.act as keyof typeof desk] as (...given: unknown[]) => Promise<unknown>;
    return answer(200, { answer: (await act(...asked.given)) ?? null });
  } catch (error) {
    if (error instanceof FormBodyError) return answer(error.status, { reason: error.message });
    if (error instanceof ApiError) return answer(statusOf(error), { reason: error.reason, code: error.code });
    // What was given did not fit what was asked.
    if (error instanceof TypeError) return answer(400, { reason: 'Something is missing.' });
    throw error;
  }
}

const statusOf = ({ code, reason }: ApiError): number =>
  Number(/^PT(4\d\d)$/.exec(code ?? '')?.[1] ?? (code === '42501' ? 403 : reason ? 422 : 502));

const answer = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } });
