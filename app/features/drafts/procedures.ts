import * as z from 'zod/mini';
import { siteContext } from '#context/site-context.ts';
import { ApiError } from '#lib/data/api-error.ts';
import type { DataAnswer } from '#lib/data/rows.ts';
import { FormBodyError, readJson } from '#session/csrf.ts';
import type { Route } from './+types/procedures';
import { draftSecret } from './draft-cookie.ts';
import { findHeldDraft } from './model/draft-actions.ts';

const Call = z.object({
  call: z.enum([
    'find',
    'make_draft_link',
    'change_draft_link',
    'revoke_draft_link',
    'send_draft_back',
    'claim_draft',
    'comment_on_draft',
    'resolve_draft_comment',
    'approve_draft',
  ]),
  args: z.record(z.string(), z.unknown()),
});

/** Calls a procedure with the link's secret, which is in an HttpOnly cookie; the response is that of the data service. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { settings, data } = context.get(siteContext);
  try {
    const { data: requested } = Call.safeParse(await readJson(request, 1024 * 1024));
    if (!requested) return refuse(400, 'Unknown call.');
    const secret = draftSecret(request, settings.origin, params.id) ?? undefined;
    const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    const client = data(secret, token);
    if (requested.call === 'find') return respond(200, { data: await findHeldDraft(client, params.id), error: null });
    const { data: result, error, status } = await client.rpc(requested.call, requested.args);
    return error ? refuse(status || 502, error.message, error.code) : respond(200, { data: result, error });
  } catch (error) {
    if (error instanceof FormBodyError) return refuse(error.status, error.message);
    if (error instanceof ApiError) return refuse(502, error.reason, error.code ?? '');
    throw error;
  }
}

const refuse = (status: number, message: string, code = '') =>
  respond(status, { data: null, error: { message, code } });

const respond = (status: number, body: DataAnswer) =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } });
